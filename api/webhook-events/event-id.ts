import { z } from 'zod';

const FORM = /^(evt_[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** `evt_` and 32 hex digits. A UUID is well formed as everywhere, but no event has one. */
export function eventIdParameter() {
  return z.string().regex(FORM, 'must be an event id, such as evt_0195571c5a607a3e9f002f5d1c9b7a30');
}
