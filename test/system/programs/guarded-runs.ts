// A server on one project that runs short tools until the given time is over, and at least two. Each tool
// keeps trying, as long as it lives, to create what is guarded. Each run that failed or got through prints a
// line on standard output.
// Arguments: project, home, milliseconds, marker.

import { runPlan } from '../../../src/execute/run-plan.ts'
import { createRunner } from '../../../src/execute/runner.ts'
import { planOf, scriptOf } from './plan-of.ts'

const [project, home, milliseconds, marker] = process.argv.slice(2) as [string, string, string, string]

// A process stays behind, to try on while the sandbox around it is being ended; not for ever, should that never happen.
const ATTEMPT = `
attempt() {
  for path in .git .git/hooks .git/config .ai/config/x; do
    mkdir "$path" 2>/dev/null && echo "created $path" | tee -a escaped.txt
  done
  mv .ai gone 2>/dev/null && echo "moved .ai" | tee -a escaped.txt
}
(while ((SECONDS < 10)); do attempt; done) >/dev/null &
attempt
sleep 0.0$((RANDOM % 9))
attempt
echo done
`

const runner = createRunner({ isolation: 'bubblewrap', home, userSpace: home })
const plan = planOf(project, marker, scriptOf(project, ATTEMPT))
const deadline = performance.now() + Number(milliseconds)
let runs = 0
while (runs < 2 || performance.now() < deadline) {
  const outcome = await runPlan(plan, runner)
  const said = JSON.stringify(outcome.data)
  if (outcome.status === 'error' || !said.includes('done') || said.includes('created')) {
    console.log(JSON.stringify(outcome))
  }
  runs += 1
}
await runner.close()
console.error(runs)
