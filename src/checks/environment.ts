/** What a check may see of our environment, and what must not be read back from its records. */
import { PLACEHOLDER } from '../redact/forms.ts';
import type { Check } from './contract.ts';

const SECRET_NAME =
  /(?:^|_)(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|API_?KEY|PRIVATE_?KEY|ACCESS_?KEY)(?:_|$)/i;

/** Too short to be a secret, and too common to be taken out of an output. */
const SHORTEST = 6;

export function secretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** A secret of ours reaches a check only by name, through `env_refs`. */
export function withheld(check: Check): (name: string) => boolean {
  return name => secretName(name) && !check.envRefs.includes(name);
}

export function missingRefs(check: Check, env: NodeJS.ProcessEnv = process.env): string[] {
  return check.envRefs.filter(name => env[name] === undefined);
}

/** Replaces the values themselves wherever they stand. */
export function hideValues(check: Check, env: NodeJS.ProcessEnv = process.env): (text: string) => string {
  const named = check.envRefs.map(name => env[name]);
  const own = Object.entries(check.env).flatMap(([name, value]) => (secretName(name) ? [value] : []));
  const values = [...named, ...own]
    .filter((value): value is string => value !== undefined && value.length >= SHORTEST)
    .sort((a, b) => b.length - a.length);
  return text => values.reduce((out, value) => out.replaceAll(value, PLACEHOLDER), text);
}
