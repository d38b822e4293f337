/** What really leaves and whether it is green, found out by doing it in a copy. Knows git and the suite, nothing of the product. */
import { type ChildProcess, spawn } from 'node:child_process';

export const ENV = {
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_EDITOR: 'true',
  // No sample hooks to copy about.
  GIT_TEMPLATE_DIR: '',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.org',
};

type Answer = { code: number; out: string };

/** One shell for all questions: to fork this process, as large as it is, costs more than most of the answers. */
export class Shell {
  private readonly child: ChildProcess;
  private text = '';
  private next: ((answer: Answer) => void) | null = null;

  constructor() {
    this.child = spawn('/bin/sh', [], { env: ENV, stdio: ['pipe', 'pipe', 'ignore'] });
    this.child.stdout!.setEncoding('utf8').on('data', (part: string) => {
      this.text += part;
      const end = /(?:^|\n)=end-of-answer= (\d+)\n$/.exec(this.text);
      if (end === null) return;
      const answer = { code: Number(end[1]), out: this.text.slice(0, end.index).trim() };
      this.text = '';
      this.next?.(answer);
    });
  }

  run(command: string, cwd: string): Promise<Answer> {
    return new Promise(resolve => {
      this.next = resolve;
      this.child.stdin!.write(
        `( cd '${cwd}' || exit 99\n${command}\n) </dev/null; printf '\\n=end-of-answer= %s\\n' $?\n`,
      );
    });
  }

  end(): void {
    this.child.stdin!.end();
  }
}

export class Evidence {
  private readonly last = new Map<string, boolean>();
  private readonly shell: Shell;

  constructor(shell: Shell) {
    this.shell = shell;
  }

  /** A run of the suite at the files as they lie there: everything git does not ignore is what it is evidence of. */
  async record(root: string): Promise<boolean> {
    const ran = await this.shell.run(
      `sh suite.sh >/dev/null 2>&1; echo $?
      export GIT_INDEX_FILE=.git/oracle-index
      cp .git/index "$GIT_INDEX_FILE" 2>/dev/null; git add -A && git write-tree; code=$?
      rm -f "$GIT_INDEX_FILE"; exit $code`,
      root,
    );
    const [exit = '', tree = ''] = ran.out.split('\n');
    if (ran.code !== 0) throw new Error(`no tree of ${root}`);
    this.last.set(tree, exit === '0');
    return exit === '0';
  }

  green(tree: string): boolean {
    return this.last.get(tree) === true;
  }
}

export type Left = { commit: string; tree: string };

const left = (line: string): Left => {
  const [commit = '', tree = ''] = line.split(' ');
  return { commit, tree };
};

/** The commits a command line would bring to the remote, or make, by doing it in a copy of everything. */
export async function whatLeaves(
  shell: Shell,
  top: string,
  command: string,
): Promise<{ left: Left[]; made: Left | null }> {
  // Opening a pull request publishes the branch.
  const done = command.replace('gh pr create --fill', 'git push -q origin HEAD');
  const { out } = await shell.run(
    `copy=$(mktemp -d '${top}/copy-XXXXXX') && cp -a project remote "$copy" && cd "$copy/project" || exit 1
    git remote set-url origin "$copy/remote"
    had=$(git -C ../remote for-each-ref --format='%(objectname)')
    was=$(git rev-parse -q --verify HEAD)
    ( ${done} ) >/dev/null 2>&1
    for commit in $(git -C ../remote for-each-ref --format='%(objectname)' | sort -u); do
      test -n "$(git -C ../remote rev-list -1 $commit --not $had)" && echo left $commit $(git -C ../remote rev-parse $commit^{tree})
    done
    test "$(git rev-parse -q --verify HEAD)" = "$was" || git log -1 --format='made %H %T'
    rm -rf "$copy"`,
    top,
  );
  const lines = out.split('\n');
  const made = lines.find(line => line.startsWith('made '));
  return {
    left: lines.filter(line => line.startsWith('left ')).map(line => left(line.slice(5))),
    made: made === undefined ? null : left(made.slice(5)),
  };
}

const VERDICTS = new Map<string, boolean>();

/** The suite in a clone that holds this commit and nothing else of the folder; the same tree is not asked twice. */
export async function passesInClone(shell: Shell, root: string, { commit, tree }: Left): Promise<boolean> {
  const known = VERDICTS.get(tree);
  if (known !== undefined) return known;
  const ran = await shell.run(
    `clone=$(mktemp -d '${root}/../clone-XXXXXX') && git clone -q --shared --no-checkout . "$clone" && cd "$clone" || exit 99
    git checkout -q ${commit} && sh suite.sh >/dev/null 2>&1; code=$?
    rm -rf "$clone"; exit $code`,
    root,
  );
  if (ran.code === 99) throw new Error(`no clone of ${commit}`);
  VERDICTS.set(tree, ran.code === 0);
  return ran.code === 0;
}
