// A phone number in E.164: a plus sign, the country and at most 15 digits. How it was typed is left out;
// a number without its country is none, because no one can tell which one is meant.

export const normalizePhone = (text: string): string | undefined => {
  const phone = text.replaceAll(/[\s().\u2010-\u2015/-]/g, "").replace(/^00/, "+")
  return /^\+[1-9]\d{6,14}$/.test(phone) ? phone : undefined
}
