import { ApplicationFailure } from '@temporalio/common';

/** What an activity answers; a function is asked at that moment. One that takes long answers after `end()`. */
export type Answer = object | null | (() => unknown) | 'fails' | { takesLong: object | null };

/** Activities that answer as told: a list one after the other, the last one from then on. `called` names the ones asked, in order. */
export function playActivities(answers: Record<string, Answer | Answer[]>) {
  const called: string[] = [];
  const ended = Promise.withResolvers<void>();
  const play = async (answer: Answer | undefined): Promise<unknown> => {
    if (answer === 'fails') throw ApplicationFailure.retryable('away');
    if (typeof answer === 'function') return answer();
    if (!answer || !('takesLong' in answer)) return answer;
    await ended.promise;
    return answer.takesLong;
  };
  const activities = Object.entries(answers).map(([name, told]) => {
    const left = Array.isArray(told) ? [...told] : [told];
    const activity = () => {
      called.push(name);
      return play(left.length > 1 ? left.shift() : left[0]);
    };
    return [name, activity];
  });
  return { called, end: ended.resolve, activities: Object.fromEntries(activities) as object };
}
