use std::io::{self, Cursor, Read};

use super::*;

fn options(columns: &[Option<Column>]) -> CsvOptions<'_> {
    CsvOptions {
        columns,
        kinds: Some(vec![ValueKind::number(Type::I32); columns.len()]),
        header: false,
        delimiter: b',',
        skip_missing: false,
    }
}

/// All values of the columns, which are of 4 bytes.
fn read(source: Source, options: &CsvOptions) -> Result<Vec<Vec<i32>>, String> {
    let mut table = CsvTable::open(source, options, None).map_err(|e| e.to_string())?;
    let mut all = vec![Vec::new(); options.columns.len()];
    while let Some(batch) = table.next().map_err(|e| e.to_string())? {
        for (values, all) in batch.iter().zip(&mut all) {
            all.extend(values.bytes.chunks(4).map(|b| i32::from_ne_bytes(b.try_into().unwrap())));
        }
    }
    Ok(all)
}

fn text(text: impl Into<String>) -> Source {
    Source::of("t.csv", Cursor::new(text.into()))
}

fn values(from: &str, column: &str, header: bool) -> Result<Vec<i32>, String> {
    let columns = [(!column.is_empty()).then(|| column.parse().unwrap())];
    read(text(from), &CsvOptions { header, ..options(&columns) }).map(|mut columns| columns.remove(0))
}

#[test]
fn columns_by_position_and_by_name() {
    assert_eq!(values("1,2\n3,4\n5, 6 \n", "2", false).unwrap(), [2, 4, 6]);
    assert_eq!(values("a,b\n1,2\n3,4\n", "b", false).unwrap(), [2, 4]);
    assert_eq!(values("a,b\r\n1,2\r\n", "1", true).unwrap(), [1]);
    assert_eq!(values("", "1", false).unwrap(), [0; 0]);
    assert_eq!(values("7\n\n8", "", false).unwrap(), [7, 8]);
    assert_eq!(values("\u{feff}7\n8\n", "", false).unwrap(), [7, 8]);
    assert_eq!(values("7\r8\r", "", false).unwrap(), [7, 8]);
    assert_eq!(values("\"a,1\",\"7\"\n\"b\nc\",8\n", "2", false).unwrap(), [7, 8]);
    let columns = ["2", "1", "2"].map(|column| Some(column.parse().unwrap()));
    assert_eq!(read(text("1,2\n3,4\n"), &options(&columns)).unwrap(), [[2, 4], [1, 3], [2, 4]]);
}

#[test]
fn errors_name_line_and_column() {
    let error = |text: &str, column: &str| values(text, column, false).unwrap_err();
    assert_eq!(error("1\n2\nx\n", "1"), "t.csv, line 3, column 1: 'x' is not a value of i32");
    assert!(error("n\n1\n", "1").ends_with("add --header"));
    assert!(error("1\n2147483648\n", "1").contains("line 2"));
    assert!(error("1,2\n3\n", "2").contains("line 2: column 2"));
    assert!(error("a,b\n", "c").contains("a, b"));
    assert!(error("1\n\"\"\n", "1").contains("line 2, column 1: the cell is empty"));
    assert!(error("1\nNA\n", "1").contains("--skip-missing"));
    assert!(error("1\n2;3\n", "1").contains("--delimiter ';'"));
    assert!(error("1\n2\t3\n", "1").contains("--delimiter tab"));
    assert!(error("1\n2024-02-29 12:00\n", "1").contains("dates and times are read from Parquet"));
    // Lines of records with quotes, and after empty lines.
    assert!(error("\"1\n\",1\n\n\n2,x\n", "2").contains("line 5,"));
    assert!("0".parse::<Column>().is_err());
}

#[test]
fn several_columns_need_a_choice() {
    assert!(values("a,b\n1,2\n", "", true).unwrap_err().contains("a, b"));
    let error = values("1\n2\n3,5\n", "", false).unwrap_err();
    assert!(error.contains("line 3: there are 2 columns"), "{error}");
    assert!(values("1\n\"2\",5\n", "", false).unwrap_err().contains("line 2: there are 2 columns"));
}

#[test]
fn missing_values_are_left_out_if_requested() {
    let columns = ["1", "2"].map(|column| Some(column.parse().unwrap()));
    let skipping = CsvOptions { skip_missing: true, ..options(&columns) };
    assert_eq!(read(text("1,\nNA,2\n,null\n3,4\n"), &skipping).unwrap(), [[1, 3], [2, 4]]);
    let mut table = CsvTable::open(text("1,\n,\n"), &skipping, None).unwrap();
    let batch = table.next().unwrap().unwrap();
    assert_eq!((batch[0].missing, batch[1].missing), (1, 2));
}

#[test]
fn types_are_found_by_looking() {
    let columns = ["1", "2", "3"].map(|column| Some(column.parse().unwrap()));
    let auto = CsvOptions { kinds: None, ..options(&columns) };
    let table = CsvTable::open(text("1,2,18446744073709551615\n3,4.5,0\n"), &auto, None).unwrap();
    assert_eq!(table.kinds(), [Type::I64, Type::F64, Type::U64].map(ValueKind::number));
    // A number after the lines that were looked at.
    let mut late = "1\n".repeat(1_000_000);
    late += "2.5\n";
    let only = [None];
    let error = read(text(late), &CsvOptions { kinds: None, ..options(&only) }).unwrap_err();
    assert!(error.contains("line 1000001") && error.contains("--type f64"), "{error}");
    let error = read(text("1\nx\n"), &CsvOptions { kinds: None, ..options(&only) }).unwrap_err();
    assert!(error.contains("line 2, column 1: 'x'"), "{error}");
}

/// Quotes lead to another way through a block; both give the same.
#[test]
fn blocks_with_and_without_quotes_are_read_alike() {
    let plain: String =
        (0..200_000).map(|i| format!(" {i},{}\r\n{}", i % 7, if i % 5 == 0 { "\n" } else { "" })).collect();
    let quoted = plain.replace(",3\r", ",\"3\"\r");
    let columns = ["2", "1"].map(|column| Some(column.parse().unwrap()));
    let [from_plain, from_quoted] =
        [&plain, &quoted].map(|from| read(text(from.clone()), &options(&columns)).unwrap());
    assert!(from_plain == from_quoted);
    assert!(from_plain[1].iter().copied().eq(0..200_000));
    let line = |text: &str| text[..text.rfind("199999").unwrap()].matches('\n').count() + 1;
    for from in [plain, quoted] {
        let wrong = from.replace("199999,", "?,");
        let error = read(text(wrong), &options(&columns)).unwrap_err();
        assert!(error.contains(&format!("line {},", line(&from))), "{error}");
    }
}

#[test]
fn empty_lines_are_skipped_however_many() {
    for start in ["", "1", "\"1\""] {
        let blank = io::repeat(b'\n').take(40 << 20);
        let source = Source::of("t.csv", start.as_bytes().chain(blank).chain(&b"\r\n2\n"[..]));
        let all = read(source, &options(&[None])).unwrap();
        assert_eq!(all[0], if start.is_empty() { &[2][..] } else { &[1, 2] });
    }
}

#[test]
fn a_quote_that_is_not_closed_is_an_error_with_its_line() {
    for (text, line) in [("\"", 1), ("1\n\"", 2), ("1,a\"b,\"", 1), ("\n\n\"", 3), ("1\n2\n\"3\n4\n", 3)] {
        for rest in [0, u64::MAX] {
            for filler in [b'\n', b'7'] {
                let source = Source::of("t.csv", text.as_bytes().chain(io::repeat(filler).take(rest)));
                let columns = [Some(Column::Index(1))];
                let error = read(source, &options(&columns)).unwrap_err();
                let expected = format!("t.csv, line {line}: a quote is opened");
                assert!(error.starts_with(&expected), "{text:?}, then {rest} of {filler}: {error}");
            }
        }
    }
}

/// The lines from the first quote to the second would be one cell, and rows would be lost.
#[test]
fn a_quote_that_the_next_one_closes_is_an_error_with_its_line() {
    let columns = [Some(Column::Name("price".into()))];
    let table = "item,price\n\"nut,1\nbolt,2\n\"nail,3\nsaw,4\n";
    let error = read(text(table), &options(&columns)).unwrap_err();
    assert!(error.starts_with("t.csv, line 2: a quote is opened and, in line 4, closed"), "{error}");
    let table = "item,price\n\"nut,1\nbolt,2\n\"nail\",3\n";
    assert!(read(text(table), &options(&columns)).unwrap_err().contains("line 2: a quote"));
}

#[test]
fn an_endless_line_is_an_error() {
    let source = Source::of("t.csv", (&b"1\n"[..]).chain(io::repeat(b'7')));
    let error = read(source, &options(&[None])).unwrap_err();
    assert!(error.contains("line 2: the line has more than 16 MiB"), "{error}");
}
