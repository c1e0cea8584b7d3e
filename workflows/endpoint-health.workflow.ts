import {
  condition,
  continueAsNew,
  defineSignal,
  patched,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type {
  EndpointHealthActivities,
  EndpointInQuestion,
} from '../activities/endpoint-health.activities.ts';
import {
  BACKGROUND_QUEUE,
  CORRECTED_SIGNAL,
  FAILING_SIGNAL,
  SWITCHED_OFF_SIGNAL,
} from '../domain/temporal-names.ts';
import { DATABASE_RETRY } from './database-retry.ts';
import { MAILS_WAIT_FOR_THE_NEXT_RUN } from './patches.ts';

const failingSignal = defineSignal(FAILING_SIGNAL);
const correctedSignal = defineSignal(CORRECTED_SIGNAL);
const switchedOffSignal = defineSignal<[{ at: string }?]>(SWITCHED_OFF_SIGNAL);

/** Signal descriptions in the Temporal UI. */
const ABOUT = {
  failing: { description: 'Sent by the service: the endpoint is failing. The workflow reads its row.' },
  corrected: {
    description: 'Sent by the service: the endpoint works again or was enabled. The workflow reads its row.',
  },
  switchedOff: {
    description:
      'Sent by the service: the endpoint was switched off, and its open deliveries are to end as skipped.',
  },
};

/** Between two batches of stop signals. */
const STOP_PAUSE_MS = 1000;

/** One short transaction each. */
const ONE_TRANSACTION = { startToCloseTimeout: '1 minute', retry: DATABASE_RETRY } as const;

const { reviewEndpoint } = proxyActivities<EndpointHealthActivities>({
  ...ONE_TRANSACTION,
  summary: 'Look how the endpoint stands; switch it off when its time has come',
});
const { askDeliveriesToStop } = proxyActivities<EndpointHealthActivities>({
  taskQueue: BACKGROUND_QUEUE,
  // Many pages, with a heartbeat before each.
  startToCloseTimeout: '15 minutes',
  heartbeatTimeout: '1 minute',
  retry: DATABASE_RETRY,
  summary: 'Skip open deliveries, then tell their workflows to stop',
});
const { sendNotificationMails } = proxyActivities<EndpointHealthActivities>({
  taskQueue: BACKGROUND_QUEUE,
  // A few mails, each with its own time limits.
  startToCloseTimeout: '5 minutes',
  // A mail server may be down for a day.
  retry: { initialInterval: '10 seconds', backoffCoefficient: 2, maximumInterval: '30 minutes' },
  summary: 'Mail the clinic what it has not been mailed yet',
});

/**
 * Watches a failing endpoint. The endpoint's row decides: each signal and timer only makes the workflow read the row
 * again. The workflow ends when the endpoint is not failing and no signal has arrived since the last read.
 * docs/webhooks.md#when-deliveries-fail
 */
export async function endpointHealth(input: EndpointInQuestion): Promise<{ status: string }> {
  const heard: Heard = { news: false, switchedOffAt: new Set() };
  const mails = createBackgroundTask(() => sendNotificationMails(input));
  const stops = createBackgroundTask(async () => {
    for (const at of heard.switchedOffAt) await stopDeliveries(input, at);
    heard.switchedOffAt.clear();
  });
  handleSignals(heard, stops);
  const unlessOneFails = (wait: Promise<unknown>) => Promise.race([wait, mails.failed, stops.failed]);

  setCurrentDetails('Looking how the endpoint stands');
  for (;;) {
    heard.news = false;
    const health = await reviewEndpoint(input);
    const isLong = workflowInfo().continueAsNewSuggested && stops.isIdle() && !heard.news;
    if (isLong && health.status === 'failing') await goOnInNewRun(input, mails);
    mails.request();
    if (health.status === 'failing') {
      const { deactivateAt, dueInMs } = health;
      setCurrentDetails(`Failing: switched off at ${deactivateAt} unless corrected`);
      await unlessOneFails(
        condition(() => heard.news, dueInMs, { summary: `Switch off at ${deactivateAt}` }),
      );
      continue;
    }
    setCurrentDetails(
      `The endpoint is ${health.status}. Waiting until its mails are sent and its deliveries stopped`,
    );
    await unlessOneFails(condition(() => heard.news || (mails.isIdle() && stops.isIdle())));
    if (heard.news) continue;
    setCurrentDetails(`Ended: the endpoint is ${health.status}`);
    return { status: health.status };
  }
}

interface Heard {
  /** Whether the row must be read again. */
  news: boolean;
  /** The times at which the endpoint was disabled and its deliveries must be stopped. */
  switchedOffAt: Set<string>;
}

function handleSignals(heard: Heard, stops: ReturnType<typeof createBackgroundTask>): void {
  setHandler(failingSignal, () => void (heard.news = true), ABOUT.failing);
  setHandler(correctedSignal, () => void (heard.news = true), ABOUT.corrected);
  const switchedOff = (off?: { at: string }) => {
    heard.news = true;
    if (!off) return;
    heard.switchedOffAt.add(off.at);
    stops.request();
  };
  setHandler(switchedOffSignal, switchedOff, ABOUT.switchedOff);
}

/** Continues as new, but not while an email is being sent, because the next run would send it again. */
async function goOnInNewRun(
  input: EndpointInQuestion,
  mails: ReturnType<typeof createBackgroundTask>,
): Promise<void> {
  const goesNewWay = patched(MAILS_WAIT_FOR_THE_NEXT_RUN);
  if (!goesNewWay) mails.request();
  if (!goesNewWay || mails.isIdle()) await continueAsNew<typeof endpointHealth>(input);
}

/** Signals waiting deliveries in batches, so that a long list does not delay other work. */
async function stopDeliveries(input: EndpointInQuestion, switchedOffAt: string): Promise<void> {
  let after: string | null = null;
  do {
    after = await askDeliveriesToStop({ ...input, switchedOffAt, after });
    if (after !== null) await sleep(STOP_PAUSE_MS, { summary: 'Before the next deliveries to stop' });
  } while (after !== null);
}

/**
 * Runs `run` in parallel with the main workflow, one run at a time. If another run is requested during a run, it
 * follows afterwards.
 */
function createBackgroundTask(run: () => Promise<void>) {
  const { promise: failed, reject } = Promise.withResolvers<never>();
  // An unhandled rejection would fail the workflow task, and again at each replay.
  failed.catch(() => undefined);
  let isRequested = false;
  let isRunning = false;

  async function runWhileRequested(): Promise<void> {
    isRunning = true;
    while (isRequested) {
      isRequested = false;
      await run();
    }
    isRunning = false;
  }

  return {
    request(): void {
      isRequested = true;
      if (!isRunning) runWhileRequested().catch(reject);
    },
    isIdle: () => !isRunning,
    /** Rejects when a run fails or is cancelled. The main workflow awaits it together with its other events. */
    failed,
  };
}
