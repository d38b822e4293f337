import { validateRules } from '../../checks/validate.ts';
import { readProject } from '../../config/project.ts';
import { isAccepted, trustHash } from '../../config/trust.ts';
import { PROJECT_FILE } from '../../state/paths.ts';
import { type Check, fail, ok } from './check.ts';

export const projectFile: Check = {
  name: 'project',
  run({ root }) {
    const read = readProject(root);
    if (read.kind === 'missing') return [fail(`${PROJECT_FILE} is missing`, 'run touchstone init')];
    if (read.kind === 'corrupt') return [fail(`${PROJECT_FILE} ${read.why}`, 'correct it by hand')];
    const faults = validateRules(root).filter(fault => !fault.warning);
    if (faults.length) {
      return faults.map(({ path, message }) =>
        fail(`${PROJECT_FILE}${path ? ` at ${path}` : ''}: ${message}`, 'correct it by hand'),
      );
    }
    const { cmd } = read.project.test;
    return [
      cmd
        ? ok(`suite: ${cmd}`)
        : fail(`${PROJECT_FILE} has no "test.cmd": every verdict is FAIL`, "write the suite's command there"),
    ];
  },
};

export const rulesAccepted: Check = {
  name: 'rules',
  run({ root }) {
    if (isAccepted(root, trustHash(root))) return [ok('the rules are as a human accepted them')];
    return [
      fail(
        `the rules in ${PROJECT_FILE} are not those a human accepted: no PASS is attested`,
        'a human reads them and runs touchstone config accept',
      ),
    ];
  },
};
