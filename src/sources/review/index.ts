export { describeReview } from './describe-review.ts'
export { type ItemReview, reviewItem } from './review-item.ts'
export { isDanger } from './signs.ts'
