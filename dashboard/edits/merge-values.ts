/** Three states of the same fields. */
export interface ThreeStates<Name extends string> {
  /** The values when the page was built. */
  shown: Readonly<Partial<Record<Name, string>>>;
  /** The submitted values; fields that are not in the form are missing. */
  sent: Readonly<Partial<Record<Name, string>>>;
  /** The values that are stored now. */
  stored: Readonly<Record<Name, string>>;
}

/** The result of the merge. */
export interface MergedValues<Name extends string> {
  /** All fields after the merge. */
  values: Record<Name, string>;
  /** The fields that this person changed. */
  changed: Partial<Record<Name, string>>;
  /** The fields that this person and others have changed to different values; this person must decide. */
  contested: Set<Name>;
  /** The fields that only others have changed. */
  theirs: Name[];
}

/** Three-way merge of a form's changes with changes by others since it was shown. */
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
