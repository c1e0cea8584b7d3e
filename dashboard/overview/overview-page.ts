import type { FirstSteps } from '../../db/clinic/first-steps.ts';
import { html } from '../../pages/html.ts';
import { live } from '../layout/components.ts';
import type { View } from '../layout/view.ts';
import { FRAME_WORDS } from '../layout/words.ts';
import type { Page } from '../serving/page-request.ts';
import { attentionPart, type Attention } from './attention-part.ts';
import { firstSteps } from './first-steps-part.ts';
import { lastDayPart, type LastDay } from './last-day-part.ts';
import { todayPart, type Today } from './today-part.ts';

export interface Overview {
  today: Today;
  attention: Attention;
  lastDay: LastDay;
  steps: FirstSteps;
}

/** It counts a day's rows. */
const REFRESH_SECONDS = 60;

/** Today first, then what needs somebody; what a clinic that begins has still to do stands before that. */
export function overviewPage(view: View, { today, attention, lastDay, steps }: Overview): Page {
  const kept = html`${todayPart(view, today)} ${attentionPart(view, attention)} ${lastDayPart(view, lastDay)}`;
  return {
    title: FRAME_WORDS[view.language].sections.overview,
    body: html`${!steps.appointments && firstSteps(view, steps)} ${live('overview', REFRESH_SECONDS, kept)}
    ${steps.appointments && firstSteps(view, steps)}`,
  };
}
