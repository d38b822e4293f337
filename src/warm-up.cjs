/**
 * Puts a hook's body (build.mjs) through calls of every day and writes down its compiled form: `node warm-up.cjs HOOK EVENT OUT`
 * with the body on stdin. What no call here comes by is no part of that, and is compiled by whoever needs it.
 */
const fs = require('node:fs');
const path = require('node:path');
const { Script } = require('node:vm');

const [hook, event, out] = process.argv.slice(2);
const root = path.dirname(out);
const script = new Script(fs.readFileSync(0, 'utf8'), { filename: hook });

const file = path.join(root, 'src', 'a.js');
const state = path.join(root, '.claude', 'state');
fs.mkdirSync(path.join(state, 'runs', 'R'), { recursive: true });
fs.mkdirSync(path.join(state, 'open-runs'));
fs.mkdirSync(path.dirname(file));
fs.writeFileSync(path.join(state, 'open-runs', 'S.json'), '{"run":"R","session":"S"}');
fs.writeFileSync(path.join(root, '.claude', 'project.json'), '{"test":{"cmd":"exit 1"}}\n');
fs.writeFileSync(file, 'export const a = 1;\n');

const calls = [
  ['Write', { file_path: file, content: 'export const a = 2;\n' }],
  ['Edit', { file_path: file, old_string: 'a = 1', new_string: 'a = 2' }],
  ['Bash', { command: 'git status --short' }],
  ['Bash', { command: 'for f in src/*.js; do node --check "$f" || (echo bad | tee log.txt); done' }],
];
const sibling = name => (name[0] === '.' ? require(path.join(path.dirname(hook), name)) : require(name));
const { exit } = process;
process.exit = () => {};
for (const [tool_name, tool_input] of calls) {
  let payload = Buffer.from(
    JSON.stringify({
      session_id: 'S',
      cwd: root,
      hook_event_name: event,
      tool_name,
      tool_input,
      tool_response: { stdout: 'ok' },
    }),
  );
  fs.readvSync = (_, [buffer]) => {
    const size = payload.copy(buffer);
    payload = payload.subarray(size);
    return size;
  };
  script.runInThisContext()({}, require, {}, hook, path.dirname(hook), sibling);
}
// A hook that answers later than at once has done so by then.
setImmediate(() => {
  fs.writeFileSync(out, script.createCachedData());
  exit();
});
