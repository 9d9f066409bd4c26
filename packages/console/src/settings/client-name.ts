// What a client calls itself, in words: the browser and the system, or the name of a program. Pure.

/** The first that fits: Edge and Opera name Chrome too, and Chrome names Safari. */
const browsers = [
  [/\bEdg(?:A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Headless)?(?:Chrome|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
] as const

/** iPhones name the Mac, and Android names Linux. */
const systems = [
  [/\biPhone|\biPad/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
] as const

/** Of something else its first word, as `curl/8.14.1`. */
export const clientName = (userAgent: string | null): string => {
  if (userAgent === null || userAgent.trim() === "") return "Unknown client"
  const browser = browsers.find(([form]) => form.test(userAgent))?.[1]
  if (browser === undefined) return userAgent.trim().split(/\s/, 1)[0]!.slice(0, 60)
  const system = systems.find(([form]) => form.test(userAgent))?.[1]
  return system === undefined ? browser : `${browser} on ${system}`
}
