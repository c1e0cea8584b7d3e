import type { AcknowledgementFacts } from '../../../db/appointments/acknowledgements.ts';
import { acknowledgementOf, type AcknowledgedColumns } from '../../../domain/appointments/acknowledgement.ts';
import { isolated } from '../../../domain/text/isolated-text.ts';
import type { View } from '../../layout/view.ts';
import { UNACKNOWLEDGED_WORDS } from './words.ts';

/** An appointment's columns and facts about its acknowledgement. */
export interface Acknowledged {
  appointment: AcknowledgedColumns & { version: number };
  acknowledged: AcknowledgementFacts;
  /** The names of actors. */
  names: ReadonlyMap<string, string>;
}

/** Whether the practice software has written the latest version; null when there is nothing to say. */
export function acknowledgementLine(
  { language, format, now }: View,
  { appointment, acknowledged, names }: Acknowledged,
  { showsReason = true } = {},
): string | null {
  const words = UNACKNOWLEDGED_WORDS[language];
  const { by, isReported, withinMinutes } = acknowledged;
  const acknowledgement = acknowledgementOf(appointment);
  if (acknowledgement?.version === appointment.version) {
    const { state, reason, at } = acknowledgement;
    const who = isolated((by !== null && names.get(by)) || words.practiceSoftware);
    const when = format.moment(at, now);
    if (state === 'written') return words.written(who, when);
    return words.by(whyRefused(language, showsReason ? reason : null), who, when);
  }
  if (isReported && withinMinutes !== null) return words.missingAfter(format.number(withinMinutes));
  return acknowledgement === null ? null : words.notYet;
}

/** Why a version is not written, in a list. */
export function whyUnacknowledged(
  { language }: View,
  { isRefused, refusalReason }: { isRefused: boolean; refusalReason: string | null },
): string {
  return isRefused ? whyRefused(language, refusalReason) : UNACKNOWLEDGED_WORDS[language].missing;
}

function whyRefused(language: View['language'], reason: string | null): string {
  const { refused, refusedSilently } = UNACKNOWLEDGED_WORDS[language];
  return reason ? refused(isolated(reason)) : refusedSilently;
}
