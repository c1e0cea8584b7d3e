import short from './jest.config.js';

/** The fault suite, `npm run faults`: real processes that are killed, frozen, cut off or robbed of what they stand on. */
export default {
  ...short,
  testMatch: [
    'requests/{faults,frozen-database,lost-connections,over-limit}',
    'webhooks/{killed-after-answer,isolation}',
    'outbox/outbox-fairness',
    'worker/{process,namespace-gone.long}',
    'dev/{supervision,ctrl-c,lost-data-directory.long}',
    'admin/{stuck-work,ten-ways-stuck}.long',
    'ops/alerts{,-api,-deliveries,-workflows}.long',
  ].map((suite) => `<rootDir>/test/${suite}.test.ts`),
};
