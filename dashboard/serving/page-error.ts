/** Why a signed-in person may not see a page. */
export type Forbidden = 'role' | 'link' | 'form';

/** 403: the role may not, the portal link's key may not, or the form was forged. */
export class PageForbiddenError extends Error {
  override readonly name = 'PageForbiddenError';
  readonly reason: Forbidden;

  constructor(reason: Forbidden) {
    super(`The page is forbidden: ${reason}`);
    this.reason = reason;
  }
}
