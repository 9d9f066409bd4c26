// How a figure changed, in percent, as people read it. Pure.

/** `+12.3%`, `-4%`, `0%`; from 100 on without a fraction. */
export const percentText = (percent: number): string => {
  const digits = Math.abs(percent) >= 100 ? 0 : 1
  const figure = new Intl.NumberFormat("en", {
    maximumFractionDigits: digits,
    signDisplay: "exceptZero",
  }).format(percent)
  return `${figure}%`
}

/** The change from one figure to another; null where there was nothing to begin with. */
export const changeText = (before: number, after: number): string | null =>
  before === 0 ? null : percentText(((after - before) / before) * 100)
