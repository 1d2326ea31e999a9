import socket

for address in (("127.0.0.1", 80), ("1.1.1.1", 53)):
    try:
        socket.create_connection(address, 1)
        print("REACHED", address)
    except OSError as error:
        print("refused", address, error.strerror)
socket.getaddrinfo("example.com", 443)
