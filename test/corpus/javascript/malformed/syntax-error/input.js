export const __version__ = '1.0.0'
export const CONFIG = {
  a: 1,
function (
