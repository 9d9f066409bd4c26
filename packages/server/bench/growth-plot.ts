// The plot of growth.ts as SVG: one line for each kind of work, both axes logarithmic, so that a straight line at 45
// degrees is cost proportional to work. Readable in light and dark pages.

interface Curve {
  readonly name: string
  /** At 1, 10 and 100 times the work. */
  readonly ms: ReadonlyArray<number>
}

const colors = ["#0f6f5c", "#c2571a", "#3d62a8", "#8a4fa3", "#a3852b", "#b23a55"]
const [width, height] = [940, 440]
const plot = { left: 64, right: 560, top: 24, bottom: 392 }
const ticks = [
  [1, "1 ms"],
  [10, "10 ms"],
  [100, "100 ms"],
  [1_000, "1 s"],
  [10_000, "10 s"],
  [100_000, "100 s"],
] as const

export const growthPlot = (curves: ReadonlyArray<Curve>): string => {
  const most = Math.max(...curves.flatMap(({ ms }) => ms))
  const shown = ticks.filter((_, place) => place === 0 || ticks[place - 1]![0] < most)
  const decades = Math.log10(shown.at(-1)![0])
  const x = (place: number) => plot.left + 24 + (place * (plot.right - plot.left - 48)) / 2
  const y = (ms: number) =>
    plot.bottom - (Math.max(0, Math.log10(ms)) / decades) * (plot.bottom - plot.top)
  const lines = curves.map(({ ms }, nth) => {
    const points = ms.map((each, place) => `${x(place).toFixed(1)},${y(each).toFixed(1)}`)
    const dots = points.map((point) => {
      const [cx, cy] = point.split(",")
      return `<circle cx="${cx}" cy="${cy}" r="3.5" fill="${colors[nth]}"/>`
    })
    return `<polyline points="${points.join(" ")}" fill="none" stroke="${colors[nth]}" stroke-width="2"/>${dots.join("")}`
  })
  const legend = curves.map(
    ({ name }, nth) =>
      `<rect x="588" y="${plot.top + 24 * nth}" width="14" height="3" fill="${colors[nth]}"/>` +
      `<text x="612" y="${plot.top + 6 + 24 * nth}">${name}</text>`,
  )
  // Cost proportional to work, from 1 ms at 1 time.
  const guide = `<line class="guide" x1="${x(0)}" y1="${y(1)}" x2="${x(2)}" y2="${y(100)}"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Time of each kind of work at 1, 10 and 100 times its size">
<style>
  text { font: 13px ui-sans-serif, system-ui, sans-serif; fill: #14232b }
  line { stroke: #d9d3c5 } .guide { stroke: #8b8a80; stroke-dasharray: 4 4 }
  @media (prefers-color-scheme: dark) { text { fill: #e9ece8 } line { stroke: #2b3a41 } }
</style>
${shown.map(([ms, label]) => `<line x1="${plot.left}" y1="${y(ms)}" x2="${plot.right}" y2="${y(ms)}"/><text x="${plot.left - 8}" y="${y(ms) + 4}" text-anchor="end">${label}</text>`).join("\n")}
${["1 time", "10 times", "100 times"].map((label, place) => `<text x="${x(place)}" y="${plot.bottom + 24}" text-anchor="middle">${label}</text>`).join("\n")}
${guide}
${lines.join("\n")}
${legend.join("\n")}
<text x="612" y="${plot.top + 6 + 24 * curves.length}">dashed: cost proportional to work</text>
</svg>
`
}
