// What the pictures show: the same household and work in each language.

const words = {
  en: {
    work: 'Work',
    home: 'Home',
    candidate: 'Send the release candidate to testers',
    books: 'Renew the library books',
    review: 'Review the storage design',
    report: 'Read the crash test report',
    once: 'Run it once myself',
    plants: 'Water the plants',
    dinner: 'Dinner with Lena',
    changelog: 'Write the changelog',
    notes: 'Draft the sync notes',
    week: 'Plan next week',
    groceries: 'Groceries',
    dentist: 'Call the dentist',
    rent: 'Pay the rent',
    slides: 'Slides for the team day',
    tags: { release: 'release', money: 'money', health: 'health' },
  },
  ar: {
    work: 'العمل',
    home: 'المنزل',
    candidate: 'إرسال النسخة المرشحة إلى المختبِرين',
    books: 'تجديد استعارة كتب المكتبة',
    review: 'مراجعة تصميم التخزين',
    report: 'قراءة تقرير اختبار الأعطال',
    once: 'تشغيله مرة بنفسي',
    plants: 'سقي النباتات',
    dinner: 'Dinner with Lena',
    changelog: 'كتابة سجل التغييرات',
    notes: 'مسودة ملاحظات المزامنة',
    week: 'التخطيط للأسبوع القادم',
    groceries: 'شراء البقالة',
    dentist: 'الاتصال بطبيب الأسنان',
    rent: 'دفع الإيجار',
    slides: 'شرائح يوم الفريق',
    tags: { release: 'إصدار', money: 'مال', health: 'صحة' },
  },
};

const argb = (/** @type {number} */ rgb) => rgb | 0xff000000 | 0;

/** Days are counted from today, times in minutes of the day. @param {'en' | 'ar'} language */
export function tasksFor(language) {
  const w = words[language];
  const lists = [
    { name: w.work, color: argb(0xd9534f) },
    { name: w.home, color: argb(0x4a9d5b) },
  ];
  /** @type {{ list: string, title: string, day?: number, time?: number, parent?: string, priority?: number, tags?: string[], rrule?: string }[]} */
  const tasks = [
    { list: w.work, title: w.candidate, day: -2, priority: 1, tags: [w.tags.release] },
    { list: w.home, title: w.books, day: -1 },
    { list: w.work, title: w.review, day: 0, time: 14 * 60, priority: 5 },
    { list: w.work, title: w.report, parent: w.review },
    { list: w.work, title: w.once, parent: w.review },
    { list: w.home, title: w.plants, day: 0, rrule: 'FREQ=DAILY;INTERVAL=3' },
    { list: w.home, title: w.dinner, day: 0, time: 19 * 60 + 30 },
    { list: w.work, title: w.changelog, day: 2, tags: [w.tags.release] },
    { list: w.work, title: w.notes, day: -4, time: 10 * 60 },
    { list: w.home, title: w.week, day: 1, time: 18 * 60, rrule: 'FREQ=WEEKLY' },
    { list: w.home, title: w.groceries, day: -5 },
    { list: w.home, title: w.dentist, day: 1, time: 9 * 60, tags: [w.tags.health] },
    { list: w.home, title: w.rent, day: 4, priority: 1, tags: [w.tags.money] },
    { list: w.work, title: w.slides, day: 3, time: 14 * 60, priority: 5 },
  ];
  return { lists, tasks, done: [w.groceries, w.once, w.notes] };
}
