-- A prefix of an indexed length is looked up like a word. Others are merged from all words that begin with them, which takes tens of
-- milliseconds for common words.
DROP TABLE token_search;
CREATE VIRTUAL TABLE token_search USING fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii', prefix='2 3 4 5 6 7 8');
INSERT INTO token_search (rowid, words)
SELECT d.document, t.words FROM token_document d JOIN token t ON t.contract = d.contract AND t.token_id = d.token_id;
