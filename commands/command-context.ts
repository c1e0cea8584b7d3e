/** Who asks, in which request, and when. Written to the timeline; never holds patient data. */
export interface CommandContext {
  /** `key:<api key id>`, `person:<person id>`, `portal`, `workflow:<workflow id>` or `operator`. */
  actor: string;
  /** Who the operator is: for the audit alone, clinics do not see it. */
  operator?: string;
  requestId: string | null;
  /** W3C `traceparent` of the request, when somebody follows it. */
  traceParent?: string | undefined;
  now: Date;
}
