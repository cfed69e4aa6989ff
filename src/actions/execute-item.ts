import { AppError } from '../base/index.ts'
import type { ActionContext } from './action.ts'
export async function executeItem(_context: ActionContext, _input: object): Promise<object> {
  throw new AppError('NOT_AVAILABLE', 'execute is not built yet')
}
