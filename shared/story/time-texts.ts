import { inLanguage } from './language.ts';

const EN = {
  months: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
  /** The number of a year in the calendar of the language. */
  calendarYear: (year: number) => year,
  dateAndTime: (date: string, time: string) => `${date}, ${time}`,
  units: { d: 'd', h: 'h', min: 'min', s: 's' },
  justNow: 'just now',
  ago: (length: string) => `${length} ago`,
  ahead: (length: string) => `in ${length}`,
  /** The time between two things that happened. */
  later: (length: string) => `${length} later`,
};

/** Years of the Buddhist era. */
const BUDDHIST_YEARS_AHEAD = 543;

const TH: typeof EN = {
  months: ['ม.ค.', 'ก.พ.', 'มี.ค.', 'เม.ย.', 'พ.ค.', 'มิ.ย.', 'ก.ค.', 'ส.ค.', 'ก.ย.', 'ต.ค.', 'พ.ย.', 'ธ.ค.'],
  calendarYear: (year) => year + BUDDHIST_YEARS_AHEAD,
  dateAndTime: (date, time) => `${date} ${time}`,
  units: { d: 'วัน', h: 'ชม.', min: 'นาที', s: 'วินาที' },
  justNow: 'เมื่อสักครู่',
  ago: (length) => joined(length, 'ที่แล้ว'),
  ahead: (length) => `อีก ${length}`,
  later: (length) => joined(length, 'ต่อมา'),
};

/** `5 นาทีที่แล้ว`, but `3 ชม. ที่แล้ว`: Thai puts a space only after an abbreviation. */
function joined(length: string, word: string): string {
  return length.endsWith('.') ? `${length} ${word}` : `${length}${word}`;
}

/** The words of times and of lengths of time. */
export const timeTexts = inLanguage({ en: EN, th: TH });
