// export const __version__ = "in a comment"
const text = `export const __category__ = "in a template"`
function f() {
  const __executor_id__ = 'local'
  return __executor_id__
}
export const __version__ = '1.0.0'
export const compute = () => 1
export const now = Date.now()
export default f
