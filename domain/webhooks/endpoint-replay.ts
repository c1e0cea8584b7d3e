/** What a replay sends again: by what became of each event's newest delivery. `missing`: skipped and failed. */
export type ReplayedDeliveries = 'skipped' | 'failed' | 'missing' | 'all';
