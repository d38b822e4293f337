/** Flags with values before the verb. */
export const GLOBAL =
  /^(?:-C|-c|--git-dir|--work-tree|--namespace|--exec-path|--super-prefix|--config-env|--attr-source)$/;

/** Verbs that run hooks, for which skipping them matters. */
export const HOOKED = /^(?:commit|push|merge|am|rebase|cherry-pick|revert|pull|checkout|switch|stash|worktree|gc)$/;

/** Verbs whose effect on the work tree only git itself can tell, unless a flag says they have none. */
export const ORACLE: Record<string, RegExp> = {
  checkout: /^$/,
  switch: /^$/,
  restore: /^$/,
  reset: /^--(?:soft)$/,
  stash: /^$/,
  merge: /^(?:--abort-nothing)$/,
  rebase: /^--(?:show-current-patch|edit-todo)$/,
  'cherry-pick': /^$/,
  revert: /^$/,
  pull: /^--dry-run$/,
  am: /^--show-current-patch/,
  clean: /^(?:-\w*n\w*|--dry-run|--help)$/,
  'checkout-index': /^$/,
  'read-tree': /^(?:-n|--dry-run|--empty)$/,
  'sparse-checkout': /^$/,
  worktree: /^$/,
  bisect: /^$/,
  submodule: /^$/,
  'merge-recursive': /^$/,
};

export const VALUES: Record<string, string> = {
  checkout: 'b B orphan conflict pathspec-from-file',
  switch: 'c C orphan conflict',
  restore: 's source pathspec-from-file conflict',
  reset: 'pathspec-from-file',
  commit:
    'm F C c t author date message file reuse-message reedit-message fixup squash template cleanup trailer pathspec-from-file',
  push: 'o repo receive-pack push-option exec',
  merge: 'm F s X strategy strategy-option into-name file cleanup',
  rebase: 'x s X exec onto strategy strategy-option',
  'cherry-pick': 'm s X mainline strategy',
  revert: 'm s X mainline strategy',
  pull: 's X j strategy depth',
  clean: 'e exclude',
  stash: 'm message pathspec-from-file output',
  'checkout-index': 'prefix stage',
  worktree: 'b B reason',
  apply: 'p C directory exclude include whitespace build-fake-ancestor',
  am: 'p C directory exclude include whitespace patch-format',
  archive: 'o output format prefix remote exec',
  'format-patch': 'o output-directory',
  rm: 'pathspec-from-file',
  bundle: '',
  'update-ref': 'm',
  'symbolic-ref': 'm',
  difftool: 'x t extcmd tool',
  clone: 'b o u c j depth branch origin reference template config separate-git-dir filter',
  'filter-branch':
    'tree-filter index-filter env-filter msg-filter commit-filter parent-filter tag-name-filter subdirectory-filter d setup',
  config: 'f file blob type default comment value get get-all get-regexp',
};
