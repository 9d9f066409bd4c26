// The result of one of the doctor's checks.

export interface Finding {
  readonly check: string
  /** `warning`: works now, but not forever. `skipped`: nothing to check. */
  readonly status: "ok" | "warning" | "failed" | "skipped"
  readonly message: string
  /** The next step, if one is needed. */
  readonly advice?: string
}

const of =
  (status: Finding["status"]) =>
  (check: string, message: string, advice?: string): Finding => ({
    check,
    status,
    message,
    ...(advice === undefined ? {} : { advice }),
  })

export const ok = of("ok")
export const warning = of("warning")
export const failed = of("failed")
export const skipped = of("skipped")

export const isBad = ({ status }: Finding): boolean => status === "failed"
