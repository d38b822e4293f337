/** Counts so far, for a person watching: cheap marks at line starts, no part of any verdict. */
import { stripVTControlCharacters } from 'node:util';

const PASSED = /^\s*(?:✔|✓|√|ok\b|--- PASS|PASS(?:ED)?\b|test .* \.\.\. ok$|\S.* (?:PASSED|\.\.\. ok)\b)/;
const FAILED =
  /^\s*(?:✖|✗|✘|×|not ok\b|--- FAIL|FAIL(?:ED|URE)?\b|test .* \.\.\. FAILED$|\S.* (?:FAILED|\.\.\. FAIL)\b)/;
const LONGEST = 400;

export class Tally {
  passed = 0;
  failed = 0;
  private rest = '';

  add(text: string): void {
    const lines = (this.rest + text).split('\n');
    this.rest = (lines.pop() ?? '').slice(-LONGEST);
    for (const line of lines) {
      const shown = stripVTControlCharacters(line.slice(0, LONGEST));
      if (FAILED.test(shown)) this.failed += 1;
      else if (PASSED.test(shown)) this.passed += 1;
    }
  }

  toString(): string {
    return `${this.passed} passed, ${this.failed} failed so far`;
  }
}
