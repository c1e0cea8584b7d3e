/** What the clinic's other system says of a version: docs/acknowledgements.md */
export const ACKNOWLEDGEMENT_STATES = ['written', 'refused'] as const;
export type AcknowledgementState = (typeof ACKNOWLEDGEMENT_STATES)[number];

export interface Acknowledgement {
  version: number;
  state: AcknowledgementState;
  /** Why it was refused; null when written or not given. */
  reason: string | null;
  at: Date;
}

/** An acknowledgement in the columns of its appointment. */
export interface AcknowledgedColumns {
  acknowledgedVersion: number | null;
  acknowledgedState: AcknowledgementState | null;
  acknowledgedAt: Date | null;
  refusalReason: string | null;
}

export function acknowledgementOf(row: AcknowledgedColumns): Acknowledgement | null {
  const { acknowledgedVersion: version, acknowledgedState: state, acknowledgedAt: at } = row;
  if (version === null || state === null || at === null) return null;
  return { version, state, reason: row.refusalReason, at };
}

export function acknowledgedColumns(acknowledgement: Acknowledgement): AcknowledgedColumns {
  const { version, state, at, reason } = acknowledgement;
  return {
    acknowledgedVersion: version,
    acknowledgedState: state,
    acknowledgedAt: at,
    refusalReason: reason,
  };
}
