//! The counting allocator counts this thread's allocations and no others.

use gudgeon_testkit::alloc::count;

#[test]
fn new_and_growing_memory_is_counted_and_reuse_is_free() {
    let (mut memory, made) = count(|| Vec::<f64>::with_capacity(100));
    assert_eq!((made.allocations, made.bytes), (1, 800));
    let ((), reused) = count(|| memory.resize(100, 1.0));
    assert_eq!(reused.allocations, 0);
    let ((), grown) = count(|| memory.push(1.0));
    assert_eq!(grown.allocations, 1);
}

#[test]
fn other_threads_do_not_count() {
    let (sender, receiver) = std::sync::mpsc::channel::<()>();
    let worker = std::thread::spawn(move || {
        let mut made = Vec::new();
        while receiver.try_recv().is_err() {
            made.push(vec![0_u8; 16]);
            made.truncate(10);
        }
    });
    let (total, counts) = count(|| (0..1_000_000_u64).fold(0, |s, i| s ^ i));
    sender.send(()).unwrap();
    worker.join().unwrap();
    assert_eq!((total, counts.allocations), (0, 0));
}
