import { expect, test } from '@jest/globals';
import { connectTemporal } from '../../adapters/temporal/connect-temporal.ts';
import { anyPort } from '../../dev/processes/free-port.ts';

test('closed while a server that is away is asked, it ends the question first', async () => {
  const address = `127.0.0.1:${await anyPort('127.0.0.1')}`;
  const temporal = connectTemporal({ namespace: 'default', connection: { address } });
  let isAnswered = false;
  const answer = temporal.ask(({ workflow }) => workflow.count()).finally(() => (isAnswered = true));
  const refused = expect(answer).rejects.toThrow();
  await temporal[Symbol.asyncDispose]();
  expect(isAnswered).toBe(true);
  await refused;
});
