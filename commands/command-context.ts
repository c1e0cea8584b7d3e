/** Who asks, in which request, and when. Written to the timeline; never holds patient data. */
export interface CommandContext {
  /** `key:<api key id>`, `person:<person id>`, `portal:<portal link id>`, `patient`, `workflow:<workflow id>` or `operator`. */
  actor: string;
  /** Who the operator is: for the audit alone, clinics do not see it. */
  operator?: string;
  /** Of a portal link: the actor who made it, such as `key:<api key id>`, for the audit. */
  linkMadeBy?: string;
  requestId: string | null;
  /** W3C `traceparent` of the request, when somebody follows it. */
  traceParent?: string | undefined;
  now: Date;
  /** Nobody is told: the timeline alone says what was done. */
  isQuiet?: boolean;
}
