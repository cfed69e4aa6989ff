// Functions that run in the measured page. A function that is sent there loses its surrounding scope.

export async function firstPaint() {
  const paint = () => performance.getEntriesByName('first-contentful-paint')[0]
  while (!paint()) await new Promise(done => setTimeout(done, 5))
  const [navigation] = performance.getEntriesByType('navigation')
  return { sinceStart: paint().startTime, sinceAnswer: paint().startTime - navigation.responseStart }
}

/** Measures from the next key to the frame after the one in which its results were drawn. */
export function awaitPaint(query) {
  window.painted = new Promise(done => {
    let since = 0
    addEventListener('keydown', event => (since = event.timeStamp), { once: true, capture: true })
    const look = () => {
      if (since === 0 || document.querySelector('[data-query]')?.dataset.query.trim() !== query.trim()) return
      seen.disconnect()
      requestAnimationFrame(() => setTimeout(() => done(performance.now() - since)))
    }
    const seen = new MutationObserver(look)
    seen.observe(document.body, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ['data-query'],
    })
    addEventListener('keyup', () => setTimeout(look), { once: true })
  })
}

/** Frames per second over two seconds. A canvas, if given, is moved with every frame. */
export async function countFrames(selector) {
  const target = selector && document.querySelector(selector)
  const frame = () => new Promise(requestAnimationFrame)
  await frame()
  const since = performance.now()
  let frames = 0
  while (performance.now() - since < 2000) {
    const key = frames % 20 < 10 ? 'ArrowLeft' : 'ArrowRight'
    target?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
    await frame()
    frames++
  }
  return (frames * 1000) / (performance.now() - since)
}
