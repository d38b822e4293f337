import type { ClaimKind } from './types.ts';

/**
 * English words by role. Underscores join phrases; the longest phrase wins. One letter per role:
 * S check, r neutral head, h thing that is built, P result verb, G good result, W works, M verb that is check and
 * result at once, F failure, o none, n not, H modal or hedge, I condition, L stale, E linking verb, A adverb,
 * v verified, O use, d outcome, u perceive, x speech, X third party, a relaying agent, B contrast, & and, ~ reason.
 */
export const CHECKS: Partial<Record<ClaimKind, string>> = {
  tests: `test tests testing suite suites spec specs testsuite test_suite unit_test unit_tests e2e end-to-end jest pytest vitest mocha ava
    junit phpunit rspec minitest playwright cypress karma jasmine ctest gtest googletest nextest cargo-nextest tox nox doctest doctests unittest
    unittests xunit nunit testng spock kotest surefire failsafe exunit eunit hspec quickcheck busted bats cucumber gherkin detox
    selenium webdriver puppeteer testcafe storybook chromatic percy snapshot snapshots scenario scenarios case cases testcase testcases test_case test_cases
    assertion assertions ci pipeline pipelines workflow workflows github_actions gitlab jenkins circleci travis buildkite azure_pipelines shard shards
    matrix nightly checks gate gates smoke fuzz fuzzer fuzzing regression_test regression_tests regression_run regression_pack regression_suite regression_check regression_checks unit integration acceptance harness
    battery test_pack pack property_tests contract_tests conformance testbed selftest self-test self-tests soak canary mutation subset lane lanes
    quality_gate merge_queue required_checks status_checks jobs job tests/ merge_gate units testsuites benchmarks goldens golden_files
    smoke-test smoke-tests smoke_test round-trip round_trip valgrind memcheck asan tsan ubsan addresssanitizer sanitizer sanitizers test_run test_runs dry_run dry-run presubmit postsubmit race_detector leak_detector verification_suite regressions_suite`,
  build: `build builds compilation bundle bundler webpack vite rollup esbuild turbo nx gradle maven bazel cmake xcodebuild msbuild docker_build built
    wheel release_build prod_build production_build debug_build image_build site_build docs_build rebuild artifact artefact packaging
    compile link_step linking transpilation static_export compile_step export_step electron_build package_build sphinx mkdocs docusaurus`,
  types: `types typecheck typechecks type-check type-checks type_check type_checks typechecking type_checking type-checking typechecker type_checker
    type-checker tsc mypy pyright pytype pyre typescript typescript_compiler compiler static_analysis typings vue-tsc svelte-check sorbet phpstan psalm
    basedpyright static_types borrow_checker typing rustc javac static_typing`,
  lint: `lint linter linters linting eslint ruff prettier biome clippy formatter fmt gofmt rustfmt isort flake8 pylint rubocop stylelint
    oxlint golangci-lint golangci staticcheck vet checkstyle spotless ktlint detekt swiftlint shellcheck hadolint markdownlint yamllint actionlint
    format_check formatting formatting_check style_check style_checks styling audit pre-commit pre-commit_hook pre-commit_hooks hook precommit precommit_hooks hooks
    npm_audit security_scan static_checks knip depcheck dead-code_check lint-staged commitlint sonar sonarqube semgrep bandit link_checker spellcheck
    axe lighthouse pa11y dependency_check license_check licence_check vulnerability_scan code_style`,
};

/** Verbs that name the check and its success at once ("it compiles", "the file type-checks"). */
export const SELF: Partial<Record<ClaimKind, string>> = {
  build: 'compiles compiled transpiles recompiles rebuilds cross-compiles',
  types: 'typechecked type-checked types_check types_checked types_check_out types_checked_out',
  lint: 'lints',
};

export const ROLES: Record<string, string> = {
  r: `run runs rerun re-run reruns command commands result results status output outcome outcomes report log tail summary step steps stage stages
    attempt set files file half portion numbers figures conclusion verdict exit_code check job's loop session invocation`,
  h: `required_fields required_field required_keys required_columns required_parameters project app application packages package image images crate crates module modules workspace workspaces site website docs binary binaries code
    repo repository branch codebase firmware library solution monorepo plugin extension frontend front-end backend back-end client server service happy_path happy_paths
    services happy_path happy_paths container app's targets target tree page pages program executable installer sdk apk addon kernel game demo`,
  P: `recovers recovered is_met are_met was_met were_met do_not_mind does_not_mind did_not_mind do_not_care does_not_care do_not_notice does_not_notice did_not_notice gave_it_the_nod gives_it_the_nod gave_it_its_blessing gives_it_its_blessing waved_it_through waves_it_through let_it_through lets_it_through pass passes passed passing succeed succeeds succeeded succeeding go_through goes_through went_through going_through gone_through ran_through
    run_through runs_through came_through come_through comes_through sail_through sails_through sailed_through breeze_through breezes_through
    breezed_through got_through gets_through make_it_through made_it_through makes_it_through passed_through hold_up holds_up held_up
    complete completes completed finish finishes finished check_out checks_out checked_out pan_out holds hold agree agrees approve approves approved accepts confirms
    accept accepted likes survive survives survived come_up_clean comes_up_clean came_up_clean hold_true turn_green turns_green turned_green
    went_green goes_green gone_green go_green stay_green stays_green stayed_green ended_well end_well ends_well do_pass does_pass did_pass
    went_well goes_well gives_its_blessing gave_its_blessing signs_off signed_off gives_the_all-clear gave_the_all-clear
    came_back_empty comes_back_empty come_back_clean came_back_clean comes_back_clean run_clean runs_clean ran_clean match matches matched test_clean
    clear clears cleared is_through are_through was_through were_through raced_through flew_through fly_through flies_through glides_through cruised_through waltzed_through
    has_no_complaints have_no_complaints had_no_complaints has_nothing_to_say had_nothing_to_say
    has_nothing_to_complain_about had_nothing_to_complain_about has_nothing_to_flag has_nothing_left_to_flag has_nothing_left_to_complain_about
    found_nothing finds_nothing reports_nothing reported_nothing says_nothing said_nothing flags_nothing flagged_nothing complains_about_nothing
    has_nothing_against_it had_nothing_against_it has_no_objections had_no_objections has_no_objection had_no_objection has_nothing_to_report had_nothing_to_report sees_nothing shows_nothing printed_nothing prints_nothing stays_silent stayed_silent
    stays_quiet stayed_quiet keeps_quiet kept_quiet raises_nothing raised_nothing catches_nothing caught_nothing turned_up_nothing turns_up_nothing comes_up_empty came_up_empty
    no_longer_complains no_longer_complain stopped_complaining stops_complaining does_not_complain do_not_complain did_not_complain
    is_not_complaining has_stopped_complaining say_so says_so confirm_it confirms_it prove_it proves_it ends_with_ok end_with_ok ended_with_ok ended_with_success ends_in_success ended_in_success says_ok said_ok  gives_no_complaints raises_no_complaints gives_a_thumbs_up gave_a_thumbs_up is_at_peace gets_the_green_light got_the_green_light get_the_green_light gives_it_the_thumbs_up gave_it_the_thumbs_up gives_it_a_thumbs_up gives_it_the_green_light gave_it_the_green_light gives_a_green_light gives_the_green_light gave_the_green_light gives_the_ok gave_the_ok purr purrs purred hums hum hummed ticks_along sings tick_along continue_to_pass continues_to_pass continued_to_pass continues_to_be_green continue_to_be_green started_passing start_passing keep_on_passing keeps_on_passing shows_up_green show_up_green is_content are_content was_content were_content no_longer_finds_anything no_longer_find_anything no_longer_has_anything no_longer_reports_anything says_yes said_yes are_all_through zips_through zipped_through rolls_through rolled_through`,
  G: `green clean ok okay fine good great successful successfully success successes happy satisfied silent quiet flawless flawlessly spotless perfect
    perfectly excellent error-free warning-free cleanly well smoothly smooth positive healthy solid stable intact uneventful all_clear
    squeaky_clean back_to_normal back_in_shape back_in_order back_on_track back_in_business all_good all_green in_the_green  green_again clean_again spick_and_span in_order in_good_shape in_shape
    in_good_order up_and_running with_flying_colours with_flying_colors without_a_hitch without_a_murmur without_a_peep without_a_problem without_trouble without_incident
    without_a_fuss without_complaint without_complaints without_drama a_success rock_solid rock-solid pristine immaculate tidy unremarkable a-ok
    like_a_dream like_a_breeze like_clockwork first_try on_the_first_try on_the_first_attempt first_time at_the_first_attempt thumbs_up thumbs-up
    a_sea_of_green a_wall_of_green all_the_way_through to_the_end to_completion to_the_last_line full_green
    undisturbed unaffected unharmed peachy at_zero down_to_zero lovely nicely well-behaved trouble-free
    problem-free issue-free faultless faultlessly impeccable bug-free failure-free satisfactory as_it_should as_they_should all_in_order
    above_board on_green a_full_pass full_pass where_it_should_be as_green_as_it_gets squeaky-clean drama-free  hunky-dory shipshape in_perfect_order in_perfect_shape
    green_across_the_board green_all_the_way green_throughout all_clean passed_clean within_the_limit within_limits within_the_limits within_budget within_bounds unscathed smiling purring humming all_right alright fully_green without_changes without_modification without_a_change without_any_changes without_adjustment in_rude_health in_apple-pie_order in_apple_pie_order in_good_health in_full_health`,
  W: 'works_out_of_the_box work_out_of_the_box worked_out_of_the_box works_end-to-end work_end-to-end worked_end-to-end hangs_together hang_together does_what_it_says do_what_they_say does_its_job do_their_job does_the_job does_the_trick did_the_trick does_what_it_is_meant_to does_what_you_want does_what_you_asked does_what_you_wanted does_what_it_should do_what_they_should does_exactly_what_it_should works work worked working functioning functions functioned behaves behave behaved performs performed functional operational',
  F: `stack_overflow stack_overflows buffer_overflow buffer_overflows memory_leak memory_leaks objects objected grumbles grumbled moans moaned whines whined balks balked nags choke chokes choked trips tripped protests protested fail fails failed failing failure failures error errors errored red broken break breaks broke breaking breakage crash crashes crashed crashing
    exception exceptions problem problems issue issues warning warnings complaint complaints regression regressions smoke_coming hiccup hiccups glitch
    glitches surprise surprises finding findings violation violations flake flakes diagnostics diagnostic offence offences offense offenses
    vulnerability vulnerabilities mismatch mismatches panic panics timeout timeouts traceback tracebacks diff diffs difference differences leak leaks discrepancy
    discrepancies trouble hitch failed_tests squiggle squiggles hits deviations deviation mishap mishaps drama smoke_anywhere incidents bug bugs stack_traces stack_trace segfault segfaults
    hang hangs deadlock deadlocks casualties casualty misses miss blemish side_effect side_effects protest objection objections fuss complains complain anomalies anomaly artefacts_on_screen 500s 5xx fallout
    race races data_races defects defect faults fault reds stumble stumbles unhandled_rejections deprecations data_loss`,
  o: `no zero without nothing none nary no_more not_a_single not_one not_any nobody free_of free_from clear_of no_further no_new not_a nor_a
    no_remaining devoid_of rid_of down_to_zero no_other not_even_one`,
  n: `not not_able_to unable_to not_manage_to not_managed_to never anything_but hardly barely scarcely neither nor cannot unable no_longer refuses refused far_from yet_to n't stopped fails_to failed_to rarely
    nowhere impossible`,
  A: `runs_later hours_later minutes_later days_later times_later attempts_later commits_later at_once all_at_once no_need_to no_need_to_worry else still now also again currently finally just too today here locally consistently fully completely entirely only already at_last once_more
    everywhere throughout any_longer anymore any_more so_far left overall in_total as_well altogether not_only remaining found reported yet newly really
    indeed together alike afterwards everywhere_else remain since_then repeatedly individually then always
    immediately actually even remotely simply in_full in_a_row twice three_times fresh freshly ever total as_before
    at_all anywhere whatsoever seen observed detected raised flagged outstanding either in_sight out_there overnight
    at_the_moment right_now as_of_now this_time first visible single exactly nearly apart straight_away instantly quickly promptly showing_up emitted logged`,
  E: `is are was were been has have had gets get got stay stays stayed remain remains remained keep keeps kept come comes came went goes go turned turn
    turns look looks looked ended ends ran returned returns exits exited exit came_back comes_back come_back came_out comes_out turned_out turns_out
    end_up ends_up ended_up being 's 're 've shows show says say reports reported said showed does do did am appear_to_be running reads finishes_up feels
    smells seems rolls come_up comes_up came_up lands landed concluded concludes ends_in terminates terminated read sits stands
    r went_by went_off goes_off executed executes execute end gave gives yields yielded`,
  D: 'the a an my our your this that these those its their his her some any several another such other same one ones remaining own',
  Q: 'all every each both everything most everyone half any_and_all the_lot the_rest rest others the_others the_remaining the_other_two the_other_three the_other_four the_other_five the_other_six the_other_seven the_other_eight the_other_nine the_other_ten the_remaining_two the_remaining_three the_remaining_four the_remaining_five the_remaining_six the_remaining_seven the_remaining_eight the_remaining_nine the_remaining_ten',
  J: 'it they them which latter former',
  '1': 'i we me us myself',
  '2': 'you your_side user yours',
  p: `despite notwithstanding about in on at for of with against under from across over per into by after during within since_the since_monday since_tuesday since_wednesday since_thursday since_friday since_last since_yesterday including via between through_the upon before
    inside outside beyond on_top_of along behind near because_of thanks_to following around besides except alongside other_than apart_from out_of whether_or_not regardless_of no_matter`,
  t: 'to',
  H: `'m_sure 'm_certain 'm_convinced 'm_positive am_sure am_certain am_convinced apparently chance chances impression_is bound_to set_to certain_to sure_to unlikely ideally in_an_ideal_world gonna precondition prerequisite idea_is point_is requirement_is condition_is rule_is feeling trust i_trust hunch by_the_looks by_the_look with_some_luck with_luck with_any_luck by_rights touch_wood knock_on_wood all_being_well i_would_think one_would_think safe_to should would could may might must will 'll shall can going_to need_to needs_to have_to has_to ought supposed expected expect expects expecting hope
    hopefully hoping hopes likely presumably probably perhaps maybe believe assume assumed assuming_that suppose guess aim aims goal_is the_goal want wants try
    plan_to plans_to i_plan we_plan plan_is planning intend intends intended wish ready_to designed_to meant_to in_theory theoretically let_me let_us let's about_to next_step next
    i_think we_think 'd wait waiting to_be_filled to_be pretended pretend imagine in_principle on_paper need must_be required requires require needs
    ask asked told promise pending awaiting trying struggling conceivably possibly potentially suspect doubt unsure not_sure uncertain
    in_order_to so_that help_to needed target targets_are remains_to_be proposal propose proposed suggest
    wanted hoped planned tried_to trying_to attempts_to attempted_to claims_that fairly_confident confident_that_it in_my_head mentally
    by_design look_forward keep_an_eye report_back let_you_know soon tomorrow later next_week eventually someday estimate predict anticipate
    anticipated forecast fingers_crossed optimistic bet odds would_have judging_by reasonably_sure pretty_sure fairly_sure quite_sure seemingly supposedly allegedly ostensibly reckon`,
  I: `if when whenever until till unless once as_soon_as provided provided_that assuming in_case as_long_as whether how why where only_after only_when only_if
    only_once only_because only_with even_if otherwise so_long_as depending depends else the_moment by_the_time lest as_if as_though what_if for_the_wrong
    granted_that in_the_event conditional_on contingent except_when suppose_that on_condition pending_that only_while the_day that_once insofar whichever wherever while_we`,
  L: `back_in_the back_in_january back_in_february back_in_march back_in_april back_in_may back_in_june back_in_july back_in_august back_in_september back_in_october back_in_november back_in_december back_when at_the_time_of last_time on_the_old in_the_old under_the_old up_to_yesterday first_draft first_version previous commits_ago at_commit versions_ago releases_ago yesterday yesterday's last_week last_month last_year weeks_ago days_ago months_ago hours_ago week_ago day_ago month_ago years_ago year_ago hour_ago used_to originally initially
    previously before_my before_the_change before_the_edit before_this before_that before_the_last before_the_rebase before_the_refactor before_i before_we earlier
    on_main on_master main's old_result the_last_green last_known last_green previous_commit previous_run previous_result in_january in_february in_march in_april in_may in_june in_july
    in_august in_september in_october in_november in_december stale outdated out_of_date at_the_start at_first in_the_past back_then formerly
    had_passed had_been had_succeeded last_night main_is main_was on_develop upstream upstream's before_the_merge at_that_time
    this_morning until_recently parent_commit base_branch on_trunk pre-change no_longer_valid long_ago once_upon at_the_time at_the_beginning last_friday last_monday last_tuesday last_wednesday last_thursday
    on_monday on_tuesday on_wednesday on_thursday on_friday last_release before_upgrading prior_to before_it before_starting historically`,
  v: `verified confirmed validated double-checked double_checked smoke-tested smoke_tested re-verified reverified sanity-checked sanity_checked battle-tested cross-checked
    spot-checked proven proved triple-checked hand-tested hand-checked`,
  O: `repeated tested tried checked re-tested retested opened clicked restarted started launched installed loaded exercised walked walked_through clicked_through went_through_it
    compared called curled curl'd curled_it queried logged_in logged replayed reran re-ran re-run_it rebuilt booted hit executed invoked drove drove_it measured sent
    fuzzed looped stress-tested load-tested played played_through stepped_through navigated visited browsed pinged triggered deployed_it uploaded downloaded imported exported
    printed rendered simulated reproduced followed looked inspected watched observed profiled benchmarked scanned ran typed submitted
    toggled resized scrolled signed_in migrated restored killed unplugged rebooted flashed plugged connected ran_it pulled_it eyeballed dogfooded poked poked_at
    let_it_run left_it_running left_it_on went_over manually_tested manual_check manual_test manual_run hand-run spun_up fired_up kicked probed posted requested switched_between eye-balled swept hammered bombarded
    used requested_it attached a/b_tested reloaded refreshed round-tripped deployed recorded fed had_it_running had_the re-executed reenacted crawled streamed diffed paired dragged tapped swiped pasted_it trial_run dialled walkthrough`,
  d: `where_it_should where_they_should the_way_it_should the_way_they_should as_configured as_promised as_defined as_there_should_be as_there_should as_it_ought_to as_was_intended where_it_belongs where_they_belong as_long_as_it_should as_long_as_they_should what_they_should what_it_should what_i_expected what_we_expected that_we_wanted that_we_want that_we_expected that_i_expected that_i_wanted that_you_wanted what_you_wanted what_you_want what_you_asked_for what_you_expected what_you_described what_you_had_in_mind correct correctly expected_result as_expected as_intended as_designed as_specified as_it_should as_planned as_described as_documented as_advertised as_before_the_change same identical
    identically right add_up adds_up added_up appears appear loads load shows_up opens open responds respond renders render gone survive_it arrives arrive returned_the returns_the lines_up
    accurate equal equals properly normal normally plays disappears updates came_back_with flat reliably desired wanted_result byte-identical pixel-perfect
    byte_for_byte bit-identical bit-for-bit correctly_formed side_by_side redirects shows returns returned answers answered displays displayed prints_out boots expected landed_in arrives_at came_up
    unchanged consistent reacts displayed_correctly persisted persist accepted_it reached worked_out equivalent lists produces starts logs closes responded loaded rendered appeared arrived started_up connects connects_fine is_there are_there are_all_there is_present are_present with_all ended_on landed_on came_back_with comes_back_with stayed_the_same stays_the_same stayed_flat constant
    arriving picked_up reconnects resumes syncs downloads saves prints refuses_it rejects comes_out scrolls toggles keeps_focus animates remembers unaffected
    intact_afterwards complete_afterwards readable legible crisp recovers recovered streams`,
  u: `see saw seen find finds found_any found_a get_any got_any hit_any encounter encountered encounters observe observe_any spot spotted notice noticed produce produced
    produces throw throws threw raise raises trigger make reproduce provoke hear heard discover discovered cause causes caused introduce introduced introduces detect yield emit emits emitted
    make_it make_them get_it_to show_any get_a surface surfaced flag flags report_any log_any print contain contains`,
  x: `claims claimed states stated writes wrote according_to announces announced mentions insists assures insists promises suggests advertises describes`,
  X: `vendor issue_says the_issue ticket reporter readme docs_say documentation the_docs customer author maintainer article blog comment commenter reviewer
    colleague manual badge upstream_repository stackoverflow forum report_says you_pasted you_attached you_sent_me you_posted you_quoted you_shared
    your_screenshot your_run your_ci your_environment your_machine your_branch your_setup your_terminal your_paste your_log your_message your_output your_note your_report bug_report changelog release_notes banner toast dialog tooltip notification email mail the_text the_title the_label the_message a_message the_note candidate candidates student students applicant patient
    teammate coworker pr_description commit_message commit_title the_plan milestone roadmap the_thread handbook wiki`,
  a: 'subagent sub-agent agent agents bot worker workers reviewer_agent teammate_agent subagents assistant helper_agent dependabot renovate child_agent delegate',
  B: 'but although though however while whereas yet_the nevertheless nonetheless still_though albeit whilst even_though',
  '&': 'and or plus &',
  // Set phrases that tell of success as a whole.
  Y: `smooth_sailing plain_sailing all_systems_go not_a_peep not_a_single_peep not_a_squeak not_a_murmur not_a_whimper not_a_complaint not_a_single_complaint
    not_a_hiccup not_a_whisper not_a_blip not_a_word_from no_smoke no_fire no_fires no_drama no_casualties no_explosions no_blips no_sparks no_tears no_nasty_surprises
    clean_bill_of_health back_to_green back_in_the_green out_of_the_red sea_of_green wall_of_green row_of_green column_of_green page_of_green screen_of_green
    nothing_blew_up nothing_exploded nothing_broke nothing_caught_fire nothing_fell_over nothing_burned nothing_went_wrong nothing_out_of_the_ordinary
    nothing_unusual nothing_fell_apart nothing_breaks happy_days piece_of_cake walk_in_the_park all_lights_green lights_are_green lights_are_all_green
    clean_sweep all_mutants_killed no_mutants_survived no_mutant_survived in_the_clear clean_as_a_whistle right_as_rain green_as_grass came_up_roses comes_up_roses coming_up_roses like_a_charm like_a_dream like_butter like_silk smooth_as_butter smooth_as_silk like_a_glove nothing_but_green two_thumbs_up gold_star 
    no_signs_of_trouble no_sign_of_trouble flying_colours flying_colors full_marks top_marks not_a_scratch home_and_dry plain_as_day red_turned_to_green red_to_green turned_to_green no_red_anywhere no_red_left all_smiles as_quiet_as_a_mouse not_bat_an_eye not_bat_an_eyelid happy_camper like_a_champ like_champs like_a_pro like_a_trooper all_boxes_ticked every_box_ticked not_bat_an_eyelash not_flinch not_break_a_sweat not_skip_a_beat no_sweat back_from_the_dead back_on_its_feet back_on_their_feet not_a_crack not_blink not_miss_a_beat`,
  '~': 'because since so therefore hence thus as that_is meaning',
};
