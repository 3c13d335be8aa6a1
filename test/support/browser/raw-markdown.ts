/** What in the texts of a page is Markdown that nothing has rendered. Code may hold anything. */
export function rawMarkdownIn(html: string): string[] {
  const texts = html.replace(/<(style|script|pre|code|textarea)\b[^>]*>.*?<\/\1>/gs, ' ');
  return [...texts.matchAll(/.{0,30}(?:`|\*\*|\]\().{0,30}/g)].map(([found]) => found);
}
