/** Which files are claim artifacts: where a verdict may be claimed, and what the fingerprint leaves out. */
import { matchAny } from './glob.ts';
import { CLAIM_PATHS } from './project.ts';

const SOURCE =
  /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|kts|scala|rb|php|cs|fs|vb|swift|c|cc|cpp|cxx|h|hpp|m|mm|sh|bash|zsh|fish|ps1|pl|pm|lua|ex|exs|erl|hs|ml|clj|sql|css|scss|less|vue|svelte|toml|lock|snap|gradle|cmake|mk|proto|graphql|tf|nix|dart|r|jl|zig|bats|t)$/i;
const PROSE = /\.(?:md|markdown|mdx|txt|text|rst|adoc|asciidoc|org|log|ipynb)$/i;
const FOLDER_DOCUMENT = /\.(?:md|markdown|mdx|txt|text|rst|adoc|asciidoc|org|log|ipynb|html?|json|ya?ml|xml|csv|pdf)$/i;

/** Source code is never a claim artifact by its name alone: `src/verify.ts` holds the word for other reasons. */
export function isClaimArtifact(globs: readonly string[], rel: string): boolean {
  // What no default covers is told by a word, before any pattern is compiled.
  if (globs === CLAIM_PATHS && !rel.toLowerCase().includes('verif') && !rel.startsWith('.claude/reports')) return false;
  const glob = matchAny(globs, rel);
  return glob !== null && (!byName(glob) || !SOURCE.test(rel));
}

/**
 * Documents only, so that writing a report does not stale the verdict it reports while a fixture that merely
 * carries the word still counts as part of the tree.
 */
export function isClaimDocument(globs: readonly string[], rel: string): boolean {
  // By extension first: a fingerprint asks this of every file.
  if (!FOLDER_DOCUMENT.test(rel)) return false;
  const glob = matchAny(globs, rel);
  return glob !== null && (!byName(glob) || PROSE.test(rel));
}

function byName(glob: string): boolean {
  return !glob.endsWith('/**') && glob.startsWith('**/');
}
