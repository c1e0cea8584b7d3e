import {
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { EndpointHealthActivities } from '../activities/endpoint-health.activities.ts';
import type { EndpointInQuestion } from '../activities/mail-notifications.ts';
import { CORRECTED_SIGNAL, FAILING_SIGNAL, SWITCHED_OFF_SIGNAL } from '../domain/temporal-names.ts';
import { createErrand } from './errand.ts';

const failingSignal = defineSignal<[{ deactivateAt: string }]>(FAILING_SIGNAL);
const correctedSignal = defineSignal(CORRECTED_SIGNAL);
const switchedOffSignal = defineSignal<[{ at: string }]>(SWITCHED_OFF_SIGNAL);

/** Between two pages of stop signals: together with the page's size the limit of their rate. */
const STOP_PAUSE_MS = 1000;

const { reviewEndpoint, askDeliveriesToStop } = proxyActivities<EndpointHealthActivities>({
  // One short transaction each; only a database that is away makes them fail.
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});
const { sendNotificationMails } = proxyActivities<EndpointHealthActivities>({
  // A few mails, each with time limits of its own.
  startToCloseTimeout: '5 minutes',
  // A mail server may be away for a day.
  retry: { initialInterval: '10 seconds', backoffCoefficient: 2, maximumInterval: '30 minutes' },
  summary: 'Mail the clinic what it has not been mailed yet',
});

export type EndpointHealthInput = EndpointInQuestion;

export interface EndpointHealthResult {
  status: string;
}

/**
 * Watches over one endpoint while it is failing. The row decides: every signal and every timer only makes this read it
 * again, and it ends when the row is not failing and nothing was heard since it was read.
 * docs/webhooks.md#when-deliveries-fail
 */
export async function endpointHealth(input: EndpointHealthInput): Promise<EndpointHealthResult> {
  const heard = { news: false, switchedOffAt: new Set<string>() };
  const mails = createErrand(() => sendNotificationMails(input));
  const stops = createErrand(async () => {
    for (const at of heard.switchedOffAt) await stopDeliveries(input, at);
    heard.switchedOffAt.clear();
  });
  setHandler(failingSignal, ({ deactivateAt }) => {
    heard.news = true;
    setCurrentDetails(`Failing: switched off at ${deactivateAt} unless corrected`);
  });
  setHandler(correctedSignal, () => void (heard.news = true));
  setHandler(switchedOffSignal, ({ at }) => {
    heard.news = true;
    heard.switchedOffAt.add(at);
    stops.ask();
  });

  for (;;) {
    heard.news = false;
    const health = await reviewEndpoint(input);
    mails.ask();
    if (health.status === 'failing') {
      if (workflowInfo().continueAsNewSuggested && stops.isDone() && !heard.news) {
        await continueAsNew<typeof endpointHealth>(input);
      }
      await condition(() => heard.news, health.dueInMs, { summary: `Switch off at ${health.deactivateAt}` });
      continue;
    }
    await condition(() => heard.news || (mails.isDone() && stops.isDone()));
    if (!heard.news) return { status: health.status };
  }
}

/** A page at a time, so that a long list of waiting deliveries does not keep others waiting. */
async function stopDeliveries(input: EndpointInQuestion, switchedOffAt: string): Promise<void> {
  let after: string | null = null;
  do {
    after = await askDeliveriesToStop({ ...input, switchedOffAt, after });
    if (after !== null) await sleep(STOP_PAUSE_MS);
  } while (after !== null);
}
