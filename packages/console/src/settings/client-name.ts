// Describes a client: the browser and operating system, or the name of a program. Pure.

/** The first match wins: Edge and Opera also name Chrome, and Chrome names Safari. */
const browsers = [
  [/\bEdg(?:A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Headless)?(?:Chrome|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
] as const

/** iPhones also name the Mac, and Android names Linux. */
const systems = [
  [/\biPhone|\biPad/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
] as const

/** For other clients the first word, for example `curl/8.14.1`. */
export const clientName = (userAgent: string | null): string => {
  if (userAgent === null || userAgent.trim() === "") return "Unknown client"
  const browser = browsers.find(([form]) => form.test(userAgent))?.[1]
  if (browser === undefined) return userAgent.trim().split(/\s/, 1)[0]!.slice(0, 60)
  const system = systems.find(([form]) => form.test(userAgent))?.[1]
  return system === undefined ? browser : `${browser} on ${system}`
}
