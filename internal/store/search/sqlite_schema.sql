-- The words of each token. The tokenizer splits at blanks only: the words are normalised before they are stored. An FTS5
-- table needs stable integers as keys, which SQLite's own row ids of "token" are not (VACUUM may change them).
CREATE TABLE token_document (
    document INTEGER PRIMARY KEY,
    contract TEXT NOT NULL,
    token_id TEXT NOT NULL,
    UNIQUE (contract, token_id)
);
-- A prefix of an indexed length is looked up like a word. Others are merged from all words that begin with them, which takes tens of
-- milliseconds for common words.
CREATE VIRTUAL TABLE token_search USING fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii', prefix='2 3 4 5 6 7 8');

CREATE TRIGGER token_search_insert AFTER INSERT ON token BEGIN
    INSERT INTO token_document (contract, token_id) VALUES (new.contract, new.token_id);
    INSERT INTO token_search (rowid, words)
    SELECT document, new.words FROM token_document WHERE contract = new.contract AND token_id = new.token_id;
END;
CREATE TRIGGER token_search_delete AFTER DELETE ON token BEGIN
    DELETE FROM token_search WHERE rowid = (SELECT document FROM token_document WHERE contract = old.contract AND token_id = old.token_id);
    DELETE FROM token_document WHERE contract = old.contract AND token_id = old.token_id;
END;
