import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { schemaTexts } from '../../src/cli/schema.ts';
import { REPO } from '../scenarios/world.ts';

test('state-schema/ is what the schemas generate (npm run schema)', () => {
  const dir = join(REPO, 'state-schema');
  const wanted = schemaTexts();
  assert.deepEqual(readdirSync(dir).sort(), Object.keys(wanted).sort());
  for (const [name, text] of Object.entries(wanted)) assert.equal(readFileSync(join(dir, name), 'utf8'), text, name);
});
