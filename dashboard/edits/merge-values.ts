/** Three states of the same fields. */
export interface ThreeStates<Name extends string> {
  /** When the page was made. */
  shown: Readonly<Partial<Record<Name, string>>>;
  /** As someone left them; a field that the form does not have is missing. */
  sent: Readonly<Partial<Record<Name, string>>>;
  /** As they are stored now. */
  stored: Readonly<Record<Name, string>>;
}

/** What becomes of them. */
export interface MergedValues<Name extends string> {
  /** All fields, as they are to stand. */
  values: Record<Name, string>;
  /** Those that this person has changed. */
  changed: Partial<Record<Name, string>>;
  /** Of them those that others have changed too, to something else: no one but this person can decide. */
  contested: Set<Name>;
  /** Those that others have changed meanwhile, and this person has not. */
  theirs: Name[];
}

/** Brings together what someone changed in a form and what others have changed since it was shown. */
export function mergeValues<Name extends string>({
  shown,
  sent,
  stored,
}: ThreeStates<Name>): MergedValues<Name> {
  const merged: MergedValues<Name> = {
    values: { ...stored },
    changed: {},
    contested: new Set(),
    theirs: [],
  };
  for (const name of Object.keys(stored) as Name[]) {
    const now = stored[name];
    const before = shown[name] ?? now;
    const wanted = sent[name] ?? before;
    if (wanted !== before && wanted !== now) {
      merged.values[name] = wanted;
      merged.changed[name] = wanted;
      if (before !== now) merged.contested.add(name);
    } else if (before !== now) merged.theirs.push(name);
  }
  return merged;
}
