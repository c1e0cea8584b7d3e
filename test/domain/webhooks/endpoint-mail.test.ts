import { expect, test } from '@jest/globals';
import { endpointMail } from '../../../domain/webhooks/endpoint-mail.ts';

const notification = {
  kind: 'endpoint_failing' as const,
  endpointId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a30',
  endpointUrl: 'https://pms.example/hook',
  deactivateAt: new Date('2026-03-05T21:05:00Z'),
  mail: 'due' as const,
};

function mailTo(country: string, config: Record<string, unknown> = {}) {
  return endpointMail(notification, { name: 'Sorriso', country, config: { timezone: 'UTC', ...config } });
}

test.each([
  ['PT', {}, 'O seu endpoint de webhook está a falhar', 'quinta-feira, 5 de março de 2026'],
  ['PT', { language: 'en' }, 'Your webhook endpoint is failing', 'Thursday, 5 March 2026 at 21:05'],
  ['US', {}, 'Your webhook endpoint is failing', 'Thursday, March 5, 2026 at 9:05 PM'],
])('a clinic in %s with %p is mailed in its language, with its dates', (country, config, subject, day) => {
  const mail = mailTo(country, config);
  expect(mail.subject).toBe(subject);
  expect(mail.text.replaceAll(/\s/g, ' ')).toContain(day);
  expect(mail.html).toContain(subject.startsWith('O') ? '<html lang="pt">' : '<html lang="en">');
  expect(mail.text).toContain('https://pms.example/hook (0195571c-5a60-7a3e-9f00-2f5d1c9b7a30)');
});

test('a clinic’s name that is written from right to left turns nothing beside it; others need no marks', () => {
  const clinic = { name: 'عيادة 7', country: 'PT', config: { language: 'en', timezone: 'UTC' } };
  const mail = endpointMail(notification, clinic);
  expect(mail.html).toContain('<p>Hello <bdi>عيادة 7</bdi>,</p>');
  expect(mail.text).toContain('Hello \u2068عيادة 7\u2069,');
  expect(mailTo('US').text + mailTo('US').html).not.toMatch(/[\u2068\u2069]|bdi/);
});
