import type { AuditEventRow } from '../../db/entities/audit-event.entity.ts';
import type { View } from '../layout/view.ts';
import { FRAME_WORDS } from '../layout/words.ts';
import { fieldName } from './field-words.ts';
import { AUDIT_WORDS } from './words.ts';

/** The details of an activity log entry in words: changed fields, counts, reason. */
export function moreOf(view: View, { details, action }: AuditEventRow): string[] {
  const { more } = AUDIT_WORDS[view.language];
  const { reasons, kinds }: Record<'reasons' | 'kinds', Readonly<Record<string, string>>> = more;
  const { fields, deliveries, found, list, kind, ended, reason } = details;
  const count = (value: unknown, words: (shown: string) => string) =>
    typeof value === 'number' ? [words(view.format.number(value))] : [];
  return [
    ...(Array.isArray(fields) && fields.length > 0
      ? [fields.map((field) => fieldName(String(field), action, view.language)).join(', ')]
      : []),
    ...count(deliveries, more.deliveries),
    ...(action === 'patient.looked_up' ? count(found, more.found) : []),
    ...count(ended, more.sessions),
    ...(typeof reason === 'string' ? [reasons[reason] ?? reason] : []),
    ...(typeof list === 'string' ? [listName(view, list)] : []),
    ...(typeof kind === 'string' ? [kinds[kind] ?? kind] : []),
  ];
}

/** `appointments-2026-03-05` is the list of appointments on that day. */
function listName({ language }: View, list: string): string {
  const [name = '', ...day] = list.split('-');
  const sections: Readonly<Record<string, string>> = FRAME_WORDS[language].sections;
  return [sections[name] ?? name, day.join('-')].filter(Boolean).join(' ');
}
