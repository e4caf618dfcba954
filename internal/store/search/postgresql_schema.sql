-- The words are normalised before they are stored, so no text search configuration applies.
CREATE INDEX token_search ON token USING GIN (array_to_tsvector(string_to_array(words, ' ')));
