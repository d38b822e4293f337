import { SaxesParser } from 'saxes';

export type Element = {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  text: string;
  line: number;
};

export type XmlResult = { root: Element; comments: string[] } | { problem: string; line: number };

/** No document type, so no entities but the five of XML itself: what bombs are made of is refused. */
export function readXml(text: string): XmlResult {
  const parser = new SaxesParser({ position: true });
  const comments: string[] = [];
  const stack: Element[] = [];
  let root: Element | null = null;
  let problem: { problem: string; line: number } | null = null;
  const refuse = (what: string): void => {
    problem ??= { problem: what, line: parser.line };
  };
  parser.on('doctype', () => refuse('a document type (DTD) is refused'));
  parser.on('error', error => refuse(error.message));
  parser.on('comment', comment => {
    if (comments.length < 100) comments.push(comment.trim());
  });
  parser.on('opentag', tag => {
    if (stack.length > 200) refuse('elements are nested more than 200 deep');
    const element: Element = {
      name: tag.name,
      attributes: tag.attributes as Record<string, string>,
      children: [],
      text: '',
      line: parser.line,
    };
    const parent = stack[stack.length - 1];
    if (parent !== undefined) parent.children.push(element);
    else root ??= element;
    stack.push(element);
  });
  parser.on('closetag', () => {
    stack.pop();
  });
  const addText = (content: string): void => {
    const element = stack[stack.length - 1];
    if (element !== undefined && element.text.length < 20_000) element.text += content.slice(0, 20_000);
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  // In pieces, so that a refused document costs no more than its beginning.
  for (let at = 0; at < text.length && problem === null; at += 65_536) parser.write(text.slice(at, at + 65_536));
  if (problem === null) parser.close();
  if (problem !== null) return problem;
  if (root === null) return { problem: 'no element', line: 1 };
  return { root, comments };
}

export function descendants(element: Element, name: string): Element[] {
  const found: Element[] = [];
  const visit = (current: Element): void => {
    for (const child of current.children) {
      if (child.name === name) found.push(child);
      visit(child);
    }
  };
  visit(element);
  return found;
}

export function child(element: Element, name: string): Element | undefined {
  return element.children.find(candidate => candidate.name === name);
}
