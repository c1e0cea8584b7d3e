type Activity = (input: never) => Promise<unknown>;

/** The same activities, each wrapped. */
export function eachActivity<A extends object>(
  activities: A,
  wrap: (activity: Activity, name: string) => Activity,
): A {
  const wrapped = Object.entries(activities).map(([name, each]) => [name, wrap(each as Activity, name)]);
  return Object.fromEntries(wrapped) as A;
}
