import { expect, test } from '@jest/globals';
import { eventActor } from '../../../domain/webhooks/event-actor.ts';

const ID = '0195571c-5a60-7a3e-9f00-2f5d1c9b7a02';

test.each([
  [`key:${ID}`, { type: 'api_key', id: ID }],
  [`person:${ID}`, { type: 'person', id: ID }],
  ['portal', { type: 'portal', id: null }],
  [`portal:${ID}`, { type: 'portal', id: ID }],
  ['patient', { type: 'patient', id: null }],
  [`workflow:appointment:${ID}`, { type: 'system', id: null }],
  ['operator', { type: 'system', id: null }],
])('what %s does is told as done by %j', (actor, told) => {
  expect(eventActor(actor)).toEqual(told);
});
