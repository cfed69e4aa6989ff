// Figures of many runs, as a bar for each day and as tables.
import { Foreign, Go, printDuration } from '../parts/basics.tsx'
import { Scroller } from '../parts/scroller.tsx'
import { countOf } from '../text/count.ts'
import type { Day, Figures } from './figures.ts'

/** One bar per day, with its numbers in the tooltip. Screen readers get the totals, and a table. */
export function Days({ days }: { days: readonly Day[] }) {
  const most = Math.max(1, ...days.map(day => day.done + day.failed))
  const width = 100 / days.length
  const total = days.reduce((sum, day) => sum + day.done + day.failed, 0)
  const failed = days.reduce((sum, day) => sum + day.failed, 0)
  const runs = countOf(total, 'run')
  return (
    <figure class="chart">
      <svg
        viewBox="0 0 100 24"
        preserveAspectRatio="none"
        role="img"
        aria-label={`${runs} in ${days.length} days, ${failed} failed, at most ${most} a day`}
      >
        {days.map((day, index) => {
          const [done, bad] = [(day.done / most) * 23, (day.failed / most) * 23]
          return (
            <g key={day.date}>
              <title>{`${day.date}: ${day.done} done, ${day.failed} failed`}</title>
              <rect x={index * width} y="0" width={width} height="24" fill="transparent" />
              <rect
                class="chart-done"
                x={index * width + width * 0.15}
                y={24 - done}
                width={width * 0.7}
                height={done}
              />
              <rect
                class="chart-failed"
                x={index * width + width * 0.15}
                y={24 - done - bad}
                width={width * 0.7}
                height={bad}
              />
            </g>
          )
        })}
      </svg>
      {total > 0 && <DaysTable days={days.filter(day => day.done + day.failed > 0)} />}
      <figcaption class="faint small">
        <span>{days[0]!.date}</span>
        <span>
          {runs}, {failed} failed
        </span>
        <span>today</span>
      </figcaption>
    </figure>
  )
}

function DaysTable({ days }: { days: readonly Day[] }) {
  return (
    <div class="visually-hidden">
      <table>
        <caption>Days with runs</caption>
        <thead>
          <tr>
            <th scope="col">day</th>
            <th scope="col">done</th>
            <th scope="col">failed</th>
          </tr>
        </thead>
        <tbody>
          {days.map(day => (
            <tr key={day.date}>
              <th scope="row">{day.date}</th>
              <td>{day.done}</td>
              <td>{day.failed}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export function FiguresTable({
  of,
  figures,
  to,
}: {
  of: string
  figures: readonly Figures[]
  to: (name: string) => string
}) {
  const slowest = Math.max(1, ...figures.map(one => one.median))
  return (
    <Scroller class="table-frame" label={`Figures by ${of}`}>
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">{of}</th>
            <th scope="col">runs</th>
            <th scope="col">failed</th>
            <th scope="col">median</th>
            <th scope="col">slowest</th>
          </tr>
        </thead>
        <tbody>
          {figures.slice(0, 20).map(one => (
            <tr key={one.name}>
              <td>
                <Go to={to(one.name)}>
                  <Foreign text={one.name} />
                </Go>
              </td>
              <td>{one.runs}</td>
              <td class={one.failed > 0 ? 'warn' : undefined}>{one.failed}</td>
              <td>
                <span class="meter" style={{ '--part': String(one.median / slowest) }}>
                  {printDuration(one.median)}
                </span>
              </td>
              <td>{printDuration(one.slowest)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  )
}
