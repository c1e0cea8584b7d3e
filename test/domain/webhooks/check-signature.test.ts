import { expect, test } from '@jest/globals';
import { checkSignature } from '../../../domain/webhooks/check-signature.ts';
import { serviceSignature } from '../../../domain/webhooks/webhook-headers.ts';

const SECRET = 'whsec_c2VjcmV0';
const SENT = '{"patientName":"João d’Ávila","reason":"dor?"}';

test.each([
  ['Latin-1', Buffer.from(SENT).toString('latin1'), 'encoding'],
  ['Windows-1252', new TextDecoder('windows-1252').decode(Buffer.from(SENT)), 'encoding'],
  ['ASCII, a question mark for each byte', SENT.replace(/[ãÁ]/gu, '??').replace('’', '???'), 'encoding'],
  [
    'ASCII, a replacement character for each byte',
    Buffer.from(SENT)
      .toString('latin1')
      .replace(/[^\0-\x7f]/gu, '\uFFFD'),
    'encoding',
  ],
  ['ASCII, a question mark for each letter', SENT.replace(/[ãÁ’]/gu, '?'), 'encoding'],
  ['Latin-1, with a line break', `${Buffer.from(SENT).toString('latin1')}\n`, 'encoding'],
  ['UTF-8 with a byte order mark', `\uFEFF${SENT}`, 'whitespace'],
  ['JSON with escapes', SENT.replace('ã', '\\u00e3'), 'reformatted'],
  ['another name', SENT.replace('João', 'Joao'), 'other'],
])('a body read as %s is told apart', (_, body, change) => {
  const now = new Date();
  const header = serviceSignature({ secrets: [SECRET], signedAt: now, body: SENT });
  const asked = { header, body, sentBody: SENT, secrets: [SECRET], signedAt: [now], now };
  expect(checkSignature(asked)).toEqual({ kind: 'changed_body', secret: 0, change });
});
