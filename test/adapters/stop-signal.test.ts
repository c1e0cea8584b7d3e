import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';

/** Says when it is asked to stop, and takes its time: until its input ends. */
const SLOW_TO_STOP = `
  const { stopSignal, untilAborted } = await import(${JSON.stringify(join(PROJECT_ROOT, 'adapters/process/stop-signal.ts'))});
  const stopping = stopSignal();
  process.stdin.resume();
  console.log('ready');
  await untilAborted(stopping);
  console.log('stopping after ' + stopping.reason);
`;

function aSlowProcess() {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', SLOW_TO_STOP], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const says = async (line: string) => {
    const [text] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    expect(text).toBe(`${line}\n`);
  };
  return { child, says, exitCode: once(child, 'exit').then(() => child.exitCode) };
}

test('one Ctrl-C that arrives several times still lets a process end in order', async () => {
  const { child, says, exitCode } = aSlowProcess();
  await says('ready');
  child.kill('SIGINT');
  await says('stopping after SIGINT');
  child.kill('SIGINT');
  child.kill('SIGTERM');
  child.stdin.end();
  expect(await exitCode).toBe(0);
});

test('who goes on asking for seconds does not wait', async () => {
  const { child, says, exitCode } = aSlowProcess();
  await says('ready');
  const impatience = setInterval(() => child.kill('SIGINT'), 100);
  expect(await exitCode).toBe(1);
  clearInterval(impatience);
});
