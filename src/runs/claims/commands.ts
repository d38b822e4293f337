import type { ClaimKind } from './types.ts';

const SCRIPT: [RegExp, ClaimKind][] = [
  [
    /\b(?:type-?check|types?:check|check[:-]types|tsc|mypy|pyright|vue-tsc|svelte-check|dmypy|pytype|basedpyright|phpstan|psalm|sorbet)\b/,
    'types',
  ],
  [
    /\b(?:lint\w*|eslint|clippy|fmt|format(?::check)?|ruff|prettier|biome|flake8|pylint|black|isort|gofmt|vet|rubocop|stylelint|shellcheck|golangci-lint|ktlint|detekt|audit|knip|pre-commit|oxlint|swiftlint|hadolint|markdownlint|actionlint|tflint)\b/,
    'lint',
  ],
  [
    /\b(?:tests?|pytest|jest|vitest|mocha|ava|rspec|phpunit|tox|nox|ctest|nextest|playwright|cypress|e2e|spec|verify:all|unittest|karma|bats|integration|unit|smoke|coverage|ci|validate|pest|check-all|testrace|xctest|connectedCheck|doctest|selftest|nosetests|specs)\b/,
    'tests',
  ],
  [
    /\b(?:build\w*|compile|bundle|webpack|vite|rollup|esbuild|docker build|assemble|package|pack|dist|cmake|ninja|xcodebuild|msbuild|next export|wheel|javac|gcc|rustc|goreleaser|release|publish --dry-run|mkdocs|sphinx-build|hugo|verify|install|bazel|tsup|terraform plan|nix|image)\b/,
    'build',
  ],
  [/\bcheck\b/, 'tests'],
];

const TOOL =
  /^(?:\$ |> |% )?(?:[A-Z_]+=\S+ )*(?:sudo |time |npx |bunx |pnpm |yarn |npm |bun |deno |uv |poetry |pipenv |pdm |hatch |rye |cargo |go |make|just |task |mage |gradle|\.\/|mvn|dotnet |mix |bundle |rake|rails |python3? |node |docker |podman |bazel |nx |turbo |lerna |rush |swift |xcodebuild|flutter |dart |composer |vendor\/bin\/|php |sbt |lein |stack |cabal |zig |ninja|cmake|meson |ctest|tox|nox|pytest|jest|vitest|mocha|eslint|tsc|mypy|pyright|ruff|biome|prettier|black|flake8|pylint|rubocop|rspec|phpunit|golangci-lint|pre-commit|playwright |cypress |helm |terraform |kubectl |curl |git |sh |bash |earthly |dagger |act |vite|webpack|esbuild|rollup|next |clippy|gofmt|stylelint|shellcheck|tsup|knip|oxlint|bats|hugo|mkdocs|nix |gh |hadolint)/;

const OUTPUT =
  /^(?:\W*(?:ok|pass(?:ed)?|success|all checks passed!?|build succe\w+|done)\b.*|.*\b\d+ (?:tests? |specs? |cases? )?(?:pass(?:ed|ing)|ok|successful|succeeded)\b.*|.*\b(?:0|no) (?:failed|failing|failures|errors?|problems|issues|warnings|offenses)\b.*|.*\bresult: ok\b.*|exit(?:ed)?(?: with)?(?: code| status)? 0|ok \(\d+ tests.*\)|build succe\w+|.*compiled successfully.*)$/i;

/** A bare name such as `build`, `lint` or `test`, as in a row of check names. */
const NAME =
  /^(?:[@\w./-]*[:/-])?(?:tests?|unit|e2e|integration|lint|typecheck|type-check|types|build|ci|smoke|spec|specs|format|fmt|check|checks|eslint|tsc|mypy|pytest|jest|vitest|ruff|clippy|prettier|compile|bundle|coverage|verify)$/;

export function checkKind(command: string): ClaimKind | undefined {
  const line = command.slice(0, 200);
  for (const [pattern, kind] of SCRIPT) if (pattern.test(line)) return kind;
  return undefined;
}

/** What the text between back-ticks is: a command, a name of a check, a line of runner output, or anything else. */
export function readCode(text: string): { tag: 'K' | 'i' | 'Z'; kind?: ClaimKind } {
  const code = text.trim().slice(0, 200);
  if (TOOL.test(code)) {
    const kind = checkKind(code);
    return kind ? { tag: 'K', kind } : { tag: 'i' };
  }
  if (NAME.test(code)) return { tag: 'K', kind: checkKind(code) ?? 'tests' };
  if (OUTPUT.test(code) && /\d|ok|pass|succ/i.test(code) && /\s|^ok$/i.test(code))
    return { tag: 'Z', kind: checkKind(code) ?? 'tests' };
  return { tag: 'i' };
}
