import type { ReadingTimes } from '../adapters/connections/send-pieces.ts';
import type { UnreadBytes } from '../adapters/connections/unread-bytes.ts';
import type { CallNumberVault } from '../adapters/phones/call-numbers.ts';
import type { Logger } from '../adapters/logs/logger.ts';
import type { PhoneHash } from '../adapters/phones/phone-hash.ts';
import type { RecordingStorage } from '../adapters/recordings/recording-storage.ts';
import type { Probe } from '../adapters/timing/cached-answer.ts';
import type { Tracing } from '../adapters/tracing/tracing.ts';
import type { WebhookUrlVerdict } from '../adapters/webhooks/webhook-url.ts';
import type { ReadRecorder } from '../commands/patient-reads/read-recorder.ts';
import type { DocsSite } from '../docs-site/site.ts';
import type { Database } from '../db/connection/open-database.ts';
import type { RecordingLinks } from '../domain/calls/recording-link.ts';
import type { ServiceMode } from '../domain/service-mode.ts';
import type { TemporalUi } from './appointments/present-timeline.ts';
import type { ApiMetrics } from './metrics/api-metrics.ts';
import type { AnswerOnce } from './middleware/idempotency/answer-once.ts';
import type { UploadPace } from './middleware/reading/open-body-stream.ts';
import type { QueueWatch } from './webhook-queue/queue-watch.ts';
import type { RequestRecorder } from './request-log/request-recorder.ts';

export interface ApiDependencies {
  database: Database;
  logger: Logger;
  mode: ServiceMode;
  documents: DocsSite;
  /** The address at which users reach the API. */
  publicUrl: string;
  /** The address at which people reach the dashboard. */
  dashboardUrl: string;
  phoneHash: PhoneHash;
  /** RATE_LIMITS_DISABLED and TRUSTED_PROXY_HOPS */
  limits: { areDisabled: boolean; trustedHops: number };
  recordings: { storage: RecordingStorage; links: RecordingLinks };
  /** Resolves the host name, so it takes a while. */
  checkWebhookUrl: (url: string) => Promise<WebhookUrlVerdict>;
  /** EGRESS_ADDRESSES */
  egressAddresses: readonly string[];
  /** Whether the workers reach Temporal. */
  isTemporalUp: Probe;
  temporalUi: TemporalUi;
  now: () => Date;
  metrics: Pick<ApiMetrics, 'onRequest' | 'onAdmission'>;
  recorder: RequestRecorder;
  reads: ReadRecorder;
  /** Null when tracing is off. */
  tracing: Tracing | null;
  /** Aborts when the process is about to stop and must receive no new requests. */
  leaving: AbortSignal;
  /** Response bytes that clients have not read yet. */
  unread: UnreadBytes;
  deadlines?: Deadlines;
}

/** How fast bodies must arrive and responses must be read. Defaults: docs/limits.md. */
export interface Deadlines {
  jsonMs?: number;
  recording?: Partial<UploadPace>;
  reading?: ReadingTimes;
}

/** What the routes need. */
export type RouteDependencies = ApiDependencies & {
  numbers: CallNumberVault;
  answerOnce: AnswerOnce;
  queues: QueueWatch;
};
