/** Why a page is not shown to someone who is signed in. */
export type Forbidden = 'role' | 'link' | 'form';

/** 403: the role may not, the key that made the portal link may not, or the form was not one of ours. */
export class PageForbiddenError extends Error {
  override readonly name = 'PageForbiddenError';
  readonly reason: Forbidden;

  constructor(reason: Forbidden) {
    super(`The page is forbidden: ${reason}`);
    this.reason = reason;
  }
}
