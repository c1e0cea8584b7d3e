import leven from 'leven';

/** Longer names are not considered typing mistakes. */
const LONGEST = 60;

/**
 * The known field that a caller probably meant; null when no name is similar.
 */
export function nearestField(unknown: string, known: readonly string[]): string | null {
  if (unknown.length > LONGEST) return null;
  const asked = unknown.toLowerCase();
  const near = known
    .map((name) => ({ name, distance: distanceOf(asked, name.toLowerCase()) }))
    .toSorted((one, other) => one.distance - other.distance);
  return near[0] && near[0].distance <= 0.5 ? near[0].name : null;
}

/**
 * How different two names are, from 0 (equal) to 1 (nothing in common). The last words of a field count as similar:
 * `phone` and `patientPhone`.
 */
function distanceOf(asked: string, name: string): number {
  if (asked.length >= 4 && name.endsWith(asked)) return 0.1;
  const edits = leven(asked, name);
  const share = edits / Math.max(asked.length, name.length);
  const beginsAlike = asked.slice(0, 4) === name.slice(0, 4);
  return beginsAlike || edits <= 2 ? share : share + 0.2;
}
