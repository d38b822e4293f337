import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readPowershell } from '../../src/shell/index.ts';

const did = (command: string): string[] =>
  readPowershell(command, { cwd: '/w', root: '/w', home: '/home/me', env: { TMP: '/tmp' } }).effects.map(
    ({ op, target }) =>
      target.kind === 'path'
        ? `${op} ${target.path.replace('/w/', '')}`
        : target.kind === 'glob'
          ? `${op} ~${target.pattern.replace('/w/', '')}`
          : `${op} ?`,
  );

describe('readPowershell', () => {
  const cases: [string, string[]][] = [
    ['Set-Content tests\\a.ts "x"', ['write tests/a.ts']],
    ['Set-Content -Path tests/a.ts -Value x', ['write tests/a.ts']],
    ['"x" | Out-File -FilePath a.txt -Append', ['write a.txt']],
    ['Add-Content -LiteralPath "a b.txt" x', ['write a b.txt']],
    ['echo x > a', ['write a']],
    ['echo x >> $null; Get-Date 2>&1', []],
    ['Remove-Item -Recurse -Force tests', ['delete tests']],
    ['rm tests, src', ['delete tests', 'delete src']],
    ['del *.ts', ['delete ~*.ts']],
    ['Move-Item a b', ['rename a', 'rename b']],
    ['Move-Item -Path a -Destination b', ['rename a', 'rename b', 'rename b']],
    ['Copy-Item a b', ['write b']],
    ['Copy-Item a -Destination b -Recurse', ['write b', 'write b']],
    ['Rename-Item a b', ['rename a', 'rename b']],
    ['New-Item -ItemType File -Path d -Name x', ['create d/x']],
    ['[System.IO.File]::WriteAllText("tests/a", "x")', ['write tests/a']],
    ['[IO.File]::Delete($p)', ['delete ?']],
    ['$p = "tests/a"; Set-Content $p x', ['write tests/a']],
    ['Set-Location tests; Set-Content a x', ['write tests/a']],
    ['if ($true) { Remove-Item a }', ['delete a']],
    ['Get-ChildItem | ForEach-Object { Clear-Content a }', ['write a']],
    ['Set-Content "$env:TMP/x" y', ['write /tmp/x']],
    ['Invoke-WebRequest http://x -OutFile a', ['write a']],
    ['iex "Remove-Item a"', ['delete a']],
    ['Remove-Item a -WhatIf', []],
    ['Get-Content tests/a | Select-String x', []],
    ["Write-Output 'Remove-Item tests'", []],
    ['# Remove-Item a', []],
    ['<# Remove-Item a #> Get-Date', []],
    ["Set-Content a @'\nRemove-Item b\n'@", ['write a']],
  ];
  for (const [command, expected] of cases)
    it(`reads ${command.split('\n')[0]}`, () => assert.deepEqual(did(command), expected));

  it('starts programs by their name and leaves an overlong text unread', () => {
    const reading = readPowershell('npm test', { cwd: '/w', root: '/w' });
    assert.deepEqual(reading.invocations[0]?.argv, ['npm', 'test']);
    assert.equal(readPowershell('x'.repeat(200_000), { cwd: '/w', root: '/w' }).opaque.length, 1);
  });
});
