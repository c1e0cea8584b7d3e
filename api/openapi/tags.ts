import type { Contracts } from '../contract/define-contracts.ts';
import { WEBHOOK_TAG } from './webhooks.ts';

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  Health: 'Probes; they need no key.',
  Clinic: 'The clinic that the key belongs to, and its settings.',
  Appointments: 'Book, find, check in, move and cancel; free times; what happened to an appointment.',
  'Slot holds': 'Keep a time free while somebody on the phone decides.',
  'Professionals and services': 'Whom and what can be booked.',
  'Busy blocks': 'When nobody can be booked, or a professional cannot: lunch, meetings, leave.',
  Calls: 'What the AI receptionist did on the phone, with recordings.',
  'Call ingest':
    'For the telephony side: report calls, what was said in them, and their recordings. Safe to repeat.',
  'Patient answers': 'Ratings after a visit and forms filled in before it.',
  'Webhook endpoints': 'Where events are sent, which ones, and signed with what.',
  'Delivery log': 'Every event, every delivery of it and every attempt; send one again.',
  'API keys': 'The keys of the clinic, and the one that asks.',
  Notifications: 'What the clinic was told about its endpoints.',
  Agents: 'Tools for a language model at the reception, over the Model Context Protocol.',
  Specification: 'This description, for tools.',
};

/** The tags of the contracts in their order, then that of the webhooks. */
export function writeTags(contracts: Contracts) {
  const names = [...new Set(Object.values(contracts).map(({ tag }) => tag))];
  return [...names.map((name) => ({ name, description: DESCRIPTIONS[name] })), WEBHOOK_TAG];
}
